import type { Server } from 'node:http'
import pTimeout from 'p-timeout'
import type { Log } from '../../log.ts'

/** Requests under way get this long to end before their connections are cut. */
const DRAIN_MS = 5_000

/**
 * Resolves when the process was told to stop, the server takes nothing new, and the requests under way have ended.
 * @param onSignal - called at once: lets what waits for a run go.
 */
export async function stopOnSignal(server: Server, log: Log, onSignal: () => void): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
  log.info({ signal }, 'stopping')
  onSignal()
  const drained = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Upgraded sockets are not the server's any more: the streams close them.
  await pTimeout(drained, { milliseconds: DRAIN_MS, fallback: () => server.closeAllConnections() })
}
