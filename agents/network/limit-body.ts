import { NetworkError } from './network-error.ts'

/** The request that a response belongs to. */
export interface Answered {
  url: URL
  redirected: boolean
}

/** Returns the response with a body that fails when its decompressed size exceeds the limit. */
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
