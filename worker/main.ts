import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import { loadAgents } from '../agents/load.ts'
import { createModels } from '../agents/models/create-model.ts'
import { createPrices } from '../agents/prices/create-prices.ts'
import type { Prices } from '../agents/prices/price.ts'
import { createNetwork } from '../agents/network/network.ts'
import type { ActivityDependencies } from '../activities/dependencies.ts'
import { createActivities } from '../activities/create-activities.ts'
import { createAccounts } from '../activities/limits/accounts.ts'
import type { AccountOptions } from '../activities/limits/calls.ts'
import { createInProcessRuns } from '../activities/attempt/in-process-runs.ts'
import { createLiveText } from '../activities/model-call/live-text.ts'
import { createRunWatch } from '../activities/attempt/run-watch.ts'
import { takeRun } from '../activities/leg/take-run.ts'
import { messageOf } from '../core/errors.ts'
import { ConfigError, loadConfig, required, type Config } from '../config.ts'
import { announce, createLog, type Log } from '../log.ts'
import { createAnswers } from '../store/spending/answers.ts'
import { connectStore } from '../store/mongodb/connect.ts'
import { createContents } from '../store/objects/contents.ts'
import { createHousekeeping } from '../store/housekeeping/housekeeping.ts'
import { createLedger } from '../store/ledger/ledger.ts'
import { startTracing } from '../observability/external-tracing.ts'
import { observeAccounts } from '../observability/observe-accounts.ts'
import { inAgentSpan, observeAgents } from '../observability/observe-agents.ts'
import { observeModels, type ObserveOptions } from '../observability/observe-models.ts'
import { traceStarts } from '../observability/trace-starts.ts'
import { countCommit, stuckWorkflows } from '../observability/work-metrics.ts'
import { openWorkerAdmin } from '../observability/worker-admin.ts'
import { createS3Blobs, s3Options } from '../store/objects/s3.ts'
import { ensureSchema } from '../store/schema.ts'
import { RangeHolders } from '../store/registry/range-holders.ts'
import { watchWorkers } from '../store/registry/workers.ts'
import { startBeating } from './beat.ts'
import { connectTemporal } from './connect-temporal.ts'
import { keepReconciling } from './reconcile-schedule.ts'
import { retryUntilConnected } from './retry-until-connected.ts'
import { catchStrayErrors } from './stray-errors.ts'
import { watched } from './watchdog.ts'
import { installRuntime, runWorkers } from './workers.ts'

/** Composition root of a worker process: builds the parts, hosts the agents, and closes everything in reverse order. */
async function main(config: Config): Promise<void> {
  const identity = `${process.pid}@${hostname()}`
  const log = createLog('worker', config.LOG_LEVEL).child({ worker: identity })
  const traces = await startTracing(config, 'worker', log)
  const { blobs, ...stores } = openStores(config, log)
  const { store, ledger } = stores
  const admin = await openWorkerAdmin({ config, log, store })
  installRuntime(log, admin.coreMetricsAddress)
  const { agents } = await hostedAgents(config, log, stores.prices)
  await retryUntilConnected('MongoDB', log, () => ensureSchema(store))
  const connection = await retryUntilConnected('Temporal', log, () => connectTemporal(config))
  const temporal = createClient(config, connection)
  admin.connected(temporal)
  const { MONGODB_DATABASE: queue, WORKER_POOL: pool } = config
  const stopReconciling = await keepReconciling(temporal, queue, log)
  const workers = watchWorkers({ store, log, worker: { _id: randomUUID(), identity, pool } })
  const observing = { captureContent: config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT }
  const deps: ActivityDependencies = {
    ...stores,
    agents: observeAgents(agents, observing),
    ...openModels(config, { store, log, worker: workers.me }, observing),
    temporal,
    queue,
    pool,
    workers,
    rangeHolders: new RangeHolders({ store, workers }),
    inAgentSpan,
    log,
    watch: createRunWatch({ store, log, me: workers.me, isAlive: workers.isAlive }),
    liveText: createLiveText({ store, log }),
    onStuck: () => stuckWorkflows.inc(),
    worker: identity,
  }
  const runs = createInProcessRuns(watched(config.FROZEN_WORKER_MS, (run, control) => takeRun(deps, run, control)))
  catchStrayErrors(runs, log)
  const beating = startBeating({ store, log, agents: [...agents.values()], pool })
  try {
    await runWorkers({ config, connection, runs, queue, identity, activities: createActivities(deps, runs), onReady })
  } finally {
    stopReconciling()
    beating.stop()
    await runs.end()
    await ledger.drain()
    await Promise.all([deps.accounts.stop(), workers.stop(), stores.network.close()])
    await connection.close().catch(() => undefined) // A failed worker may still use the connection.
    await store.close()
    blobs.close()
    await admin.close()
    await traces.close()
    log.info('worker stopped')
  }

  async function onReady(isPolling: () => boolean): Promise<void> {
    await Promise.all([beating.first, workers.first])
    admin.started(isPolling, deps.accounts)
    // Takes refer to the worker by this id, and so does the error of a run that lost too many workers.
    announce(log, { id: workers.me, pool, agents: [...agents.keys()] }, 'worker ready')
  }
}

function hostedAgents(config: Config, log: Log, prices: Prices): ReturnType<typeof loadAgents> {
  return loadAgents({ directories: config.AGENTS_DIR, log, modelOverride: config.MODEL, prices })
}

/** The client on the worker's connection; it traces the workflows that it starts. */
function createClient({ TEMPORAL_NAMESPACE: namespace }: Config, connection: NativeConnection): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [traceStarts()] } })
}

/** Builds the clients of this process's stores; none is connected yet. */
function openStores(config: Config, log: Log) {
  const store = connectStore({
    uri: required(config, 'MONGODB_URI'),
    database: config.MONGODB_DATABASE,
    appName: 'troupe-worker',
  })
  const blobs = createS3Blobs(s3Options(config))
  const contents = createContents({ blobs, limitBytes: config.RESPONSE_OFFLOAD_BYTES })
  const tracing = config.TRACING !== 'disabled'
  const ledger = createLedger({ store, log, tracing, timeoutMs: Infinity, onCommit: countCommit })
  const prices = openPrices(config.PRICES_FILE)
  const answers = createAnswers({ store, contents, log })
  const network = createNetwork(config.NETWORK_ALLOW_PRIVATE)
  const { TRACE_RETENTION_DAYS: traceDays, EXECUTION_RETENTION_DAYS: executionDays } = config
  const keepHouse = createHousekeeping({ store, blobs, log, traceDays, executionDays })
  return { store, blobs, contents, ledger, answers, prices, network, keepHouse }
}

/** @throws ConfigError if the file cannot be used. */
function openPrices(file: string | undefined): ReturnType<typeof createPrices> {
  try {
    return createPrices(file)
  } catch (error) {
    throw new ConfigError(messageOf(error), { cause: error })
  }
}

/** The models of this worker, and the accounts to which their calls count. */
function openModels(
  config: Config,
  parts: Pick<AccountOptions, 'store' | 'log' | 'worker'>,
  observing: ObserveOptions,
): Pick<ActivityDependencies, 'models' | 'accounts'> {
  return {
    models: observeModels(createModels({ config }), observing),
    accounts: observeAccounts(createAccounts({ ...parts, limits: config.LIMITS })),
  }
}

try {
  await main(loadConfig())
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  // Clients that are already open would keep the process alive.
  process.exit(1)
}
