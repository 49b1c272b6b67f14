/** Of an answer as it is sent, some hundred bytes for each token: more than any model writes. */
const MAX_BYTES = 268_435_456
/** Of one line of it, which is kept whole until its end has come. */
const MAX_LINE_BYTES = 33_554_432
const NEWLINE = 10

/**
 * A response whose body breaks off with an error when it becomes larger than an answer can be, decompressed bytes counted: a provider, or who
 * stands in its place, shall not fill this process's memory.
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
