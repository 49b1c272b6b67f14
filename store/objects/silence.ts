import type { IncomingMessage } from 'node:http'

/**
 * Number of consecutive silent checks. A suspended process makes one check before it reads the bytes that have arrived
 * since.
 */
const LOOKS = 6

/**
 * Destroys the body of a response whose server has stopped sending. Only time spent waiting for the server counts,
 * because a pausing reader leaves bytes in the buffer.
 * @param idleTimeoutMs - destroyed after this time without a byte, and at most a sixth later.
 */
export function destroyWhenSilent(body: IncomingMessage, idleTimeoutMs: number): void {
  let quietLooks = 0
  let seen = body.socket.bytesRead
  const look = (): void => {
    // The socket already belongs to the next request, even if the end was not read.
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
