import type { Client } from '@temporalio/client'
import type { Accounts } from '../activities/limits/accounts.ts'
import type { Config } from '../config.ts'
import { total } from '../core/provider-account.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/mongodb/connect.ts'
import { startAdminServer } from './admin-server.ts'
import { coreMetrics } from './core-metrics.ts'
import { needsMongodb, needsTemporal } from './readiness.ts'

/** The admin port of a worker process; it is open while the process waits for its servers. */
export interface WorkerAdmin {
  /** Address for the metrics of the Temporal SDK's native part; undefined without an admin port. */
  coreMetricsAddress: string | undefined
  /** Reports that Temporal is connected. */
  connected: (temporal: Client) => void
  /** Reports that the workers have started; `isPolling` tells whether they still accept tasks. */
  started: (isPolling: () => boolean, accounts: Accounts) => void
  close: () => Promise<void>
}

/**
 * Opens the admin port of a worker process if one is configured.
 * @throws ConfigError if the port cannot be used.
 */
export async function openWorkerAdmin(options: { config: Config; log: Log; store: Store }): Promise<WorkerAdmin> {
  const { config, log, store } = options
  let temporal: Client | undefined
  let isPolling = (): boolean => false
  let accounts: Accounts | undefined
  const notes = {
    connected: (client: Client) => void (temporal = client),
    started: (polls: () => boolean, opened: Accounts) => {
      isPolling = polls
      accounts = opened
    },
  }
  if (config.ADMIN_PORT === undefined) {
    return { ...notes, coreMetricsAddress: undefined, close: () => Promise.resolve() }
  }
  const core = await coreMetrics()
  const server = await startAdminServer({
    host: config.HOST,
    port: config.ADMIN_PORT,
    log,
    moreMetrics: core.read,
    notes: () => (accounts === undefined ? [] : coolDowns(accounts)),
    needs: [
      needsMongodb(store),
      needsTemporal(() => temporal),
      { met: () => Promise.resolve(isPolling()), otherwise: 'The worker does not poll for tasks.' },
    ],
  })
  return { ...notes, coreMetricsAddress: core.bindAddress, close: server.close }
}

/**
 * Providers that pushed back and whose calls wait. The worker is ready nevertheless, because other workers would not be
 * served either.
 */
function coolDowns(accounts: Accounts): string[] {
  return [...accounts.all()].flatMap(([account, { figures }]) => {
    const { isCooling, coolingMs, waiting } = figures
    const seconds = Math.ceil(coolingMs / 1_000)
    return isCooling ? [`${account} cools down for ${seconds} s more; ${total(waiting)} calls wait here.`] : []
  })
}
