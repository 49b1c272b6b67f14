/** Maximum size of a response, some hundred bytes per token: more than any model writes. */
const MAX_BYTES = 268_435_456
/** Maximum size of one line of a response, because a line is buffered until its end arrives. */
const MAX_LINE_BYTES = 33_554_432
const NEWLINE = 10

/**
 * Returns the response with a body that fails when its decompressed size exceeds the limits, so that no provider or
 * intermediary can fill this process's memory.
 */
export function boundedAnswer(response: Response): Response {
  const { status, statusText, headers, body } = response
  if (body === null) return response
  let size = 0
  let line = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(NEWLINE)
      size += chunk.length
      line = end < 0 ? line + chunk.length : chunk.length - end - 1
      if (size <= MAX_BYTES && line <= MAX_LINE_BYTES) controller.enqueue(chunk)
      else controller.error(new Error(`it is larger than ${size > MAX_BYTES ? MAX_BYTES : MAX_LINE_BYTES} bytes`))
    },
  })
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}
