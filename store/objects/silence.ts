import type { IncomingMessage } from 'node:http'

/** It takes so many looks in a row: a process that stood still looks once, before it reads what has come meanwhile. */
const LOOKS = 6

/**
 * Destroys the body of a response whose server has fallen silent. Only the time counts in which the server is waited for: a
 * reader that pauses leaves bytes in the buffer.
 * @param idleTimeoutMs - after so long without a byte, and at most a sixth later.
 */
export function destroyWhenSilent(body: IncomingMessage, idleTimeoutMs: number): void {
  let quietLooks = 0
  let seen = body.socket.bytesRead
  const look = (): void => {
    // Its socket belongs to the next request, whether or not anybody has read the end.
    if (body.complete) return clearInterval(looks)
    const { bytesRead } = body.socket
    const isQuiet = bytesRead === seen && body.readableLength === 0
    seen = bytesRead
    quietLooks = isQuiet ? quietLooks + 1 : 0
    if (quietLooks > LOOKS) body.destroy(new Error(`nothing came for ${idleTimeoutMs / 1_000} s`))
  }
  const looks = setInterval(look, idleTimeoutMs / LOOKS)
  body.once('close', () => clearInterval(looks))
}
