import type { Server } from 'node:http'
import pTimeout from 'p-timeout'
import type { Log } from '../../log.ts'

/** Requests that wait for a run get this long: most runs end by then, and a client that is sent away may submit again. */
const WAITS_MS = 5_000
/** Requests under way get this long to end before their connections are cut. */
const DRAIN_MS = WAITS_MS + 5_000

/** What the parts of the process are told by. */
export interface ShutdownSignals {
  closing: AbortController
  waitsEnd: AbortController
}

/**
 * Resolves when the process was told to stop, the server takes nothing new, and the requests under way have ended.
 * @param closing - aborted at once.
 * @param waitsEnd - aborted when requests have to stop waiting for runs.
 */
export async function stopOnSignal(server: Server, log: Log, { closing, waitsEnd }: ShutdownSignals): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
  log.info({ signal }, 'stopping')
  closing.abort()
  setTimeout(() => waitsEnd.abort(), WAITS_MS).unref()
  const drained = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Upgraded sockets are not the server's any more: the streams close them.
  await pTimeout(drained, { milliseconds: DRAIN_MS, fallback: () => server.closeAllConnections() })
}
