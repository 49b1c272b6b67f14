import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which systems take the ports of outgoing connections (32768 and up on Linux): otherwise a client
// that keeps reconnecting to a server that is down may be given the server's own port, and connect to itself.
const LOWEST = 15_000
const HIGHEST = 32_000
const TRIES = 200

/** Whether a server could listen on this port now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** A port of the loopback interface on which nobody listens now; `preferred` where that one is free. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST} in ${TRIES} tries.`)
}
