import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range of ephemeral ports (32768 and up on Linux). Otherwise a client that reconnects to a stopped server could
// get the port of the server as its own and connect to itself.
const LOWEST = 15_000
const HIGHEST = 32_000
const TRIES = 200

/** Whether a server can listen on this port now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** A free port of the loopback interface; `preferred` if that is free. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port found between ${LOWEST} and ${HIGHEST} after ${TRIES} attempts.`)
}
