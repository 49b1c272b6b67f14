import { NetworkError } from './network-error.ts'

/** What a response was the answer to. */
export interface Answered {
  url: URL
  redirected: boolean
}

/**
 * The same response with a body that breaks off with an error when it is larger than the limit, decompressed bytes counted.
 */
export function limitBody(response: Response, { url, redirected }: Answered, maxBytes: number): Response {
  const { status, statusText, headers } = response
  let size = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) {
        controller.error(new NetworkError('response_too_large', `The response is larger than ${maxBytes} bytes.`))
      } else {
        controller.enqueue(chunk)
      }
    },
  })
  const body = response.body === null ? null : response.body.pipeThrough(counter)
  const limited = new Response(body, { status, statusText, headers: new Headers([...headers]) })
  return Object.defineProperties(limited, { url: { value: url.href }, redirected: { value: redirected } })
}
