import type { Server } from 'node:http'
import pTimeout from 'p-timeout'
import type { Log } from '../../log.ts'

/** How long requests may still wait for a run. Most runs end in this time, and a disconnected client might submit again. */
const WAITS_MS = 5_000
/** How long requests in progress may take before their connections are closed. */
const DRAIN_MS = WAITS_MS + 5_000

/** Controllers that announce the shutdown to the parts of the process. */
export interface ShutdownSignals {
  closing: AbortController
  waitsEnd: AbortController
}

/**
 * Resolves when the process has received a stop signal, the server accepts no more requests, and all requests have ended.
 * @param closing - aborted at once.
 * @param waitsEnd - aborted when requests must stop waiting for runs.
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
  // The server no longer tracks upgraded sockets; the streams close them.
  await pTimeout(drained, { milliseconds: DRAIN_MS, fallback: () => server.closeAllConnections() })
}
