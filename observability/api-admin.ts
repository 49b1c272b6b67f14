import type { Client } from '@temporalio/client'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/mongodb/connect.ts'
import { startAdminServer } from './admin-server.ts'
import { watchQueueBacklog } from './queue-backlog.ts'
import { needsMongodb, needsTemporal } from './readiness.ts'

export interface ApiAdminOptions {
  config: Config
  log: Log
  store: Store
  temporal: Client
  /** Task queue of the workflows. */
  queue: string
  /** Fires when the process begins to shut down. */
  closing: AbortSignal
}

/**
 * Opens the admin port of an API process if one is configured.
 * @returns a function that closes it.
 * @throws ConfigError if the port cannot be used.
 */
export async function openApiAdmin(options: ApiAdminOptions): Promise<() => Promise<void>> {
  const { config, log, store, temporal, queue, closing } = options
  if (config.ADMIN_PORT === undefined) return () => Promise.resolve()
  watchQueueBacklog({ temporal, store, queue, log })
  const server = await startAdminServer({
    host: config.HOST,
    port: config.ADMIN_PORT,
    log,
    needs: [
      { met: () => Promise.resolve(!closing.aborted), otherwise: 'The process is shutting down.' },
      needsMongodb(store),
      needsTemporal(() => temporal),
    ],
  })
  return server.close
}
