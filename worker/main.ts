import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Client } from '@temporalio/client'
import { loadAgents } from '../agents/load.ts'
import { createModels } from '../agents/models/create-model.ts'
import { createNetwork } from '../agents/network/network.ts'
import type { ActivityDependencies } from '../activities/dependencies.ts'
import { createActivities, createRuns } from '../activities/create-activities.ts'
import { createCancelWatch } from '../activities/cancel-watch.ts'
import { createTranscripts } from '../activities/transcripts.ts'
import { ConfigError, loadConfig, required, type Config } from '../config.ts'
import { announce, createLog, type Log } from '../log.ts'
import { connectStore, ensureIndexes } from '../store/connect.ts'
import { createContents } from '../store/contents.ts'
import { createHousekeeping } from '../store/housekeeping.ts'
import { createLedger } from '../store/ledger.ts'
import { startTracing } from '../observability/external-tracing.ts'
import { observeAgents } from '../observability/observe-agents.ts'
import { observeModels } from '../observability/observe-models.ts'
import { traceStarts } from '../observability/trace-starts.ts'
import { countCommit } from '../observability/work-metrics.ts'
import { openWorkerAdmin } from '../observability/worker-admin.ts'
import { createS3Blobs, s3Options } from '../store/s3.ts'
import { startBeating } from './beat.ts'
import { connectTemporal } from './connect-temporal.ts'
import { keepReconciling } from './reconcile-schedule.ts'
import { until } from './until.ts'
import { installRuntime, runWorkers } from './workers.ts'

/** Composition root of a worker process: builds the parts, hosts the agents, and takes everything down in reverse order. */
async function main(config: Config): Promise<void> {
  const identity = `${process.pid}@${hostname()}`
  const log = createLog('worker', config.LOG_LEVEL).child({ worker: identity })
  const traces = await startTracing(config, 'worker', log)
  const { blobs, ...stores } = openStores(config, log)
  const { store, ledger } = stores
  const admin = await openWorkerAdmin({ config, log, store })
  installRuntime(log, admin.coreMetricsAddress)
  const { agents } = await loadAgents({ directories: config.AGENTS_DIR, log, modelOverride: config.MODEL })
  await until('MongoDB', log, () => ensureIndexes(store))
  const connection = await until('Temporal', log, () => connectTemporal(config))
  const namespace = config.TEMPORAL_NAMESPACE
  const temporal = new Client({ connection, namespace, interceptors: { workflow: [traceStarts()] } })
  admin.connected(temporal)
  const queue = config.MONGODB_DATABASE
  // Never used again: what an earlier process had begun is gone with it.
  const queues = { queue, ownQueue: `${queue}/${randomUUID()}` }
  const stopReconciling = await keepReconciling(temporal, queue, log)

  const observing = { captureContent: config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT }
  const deps: ActivityDependencies = {
    ...stores,
    agents: observeAgents(agents, observing),
    models: observeModels(createModels({ config }), observing),
    temporal,
    ...queues,
    pool: config.WORKER_POOL,
    log,
    worker: identity,
  }
  const codeRuns = createRuns(deps)
  const beating = startBeating({ store, log, agents: [...agents.values()], pool: config.WORKER_POOL })
  try {
    await runWorkers({
      config,
      connection,
      activities: createActivities(deps, codeRuns),
      codeRuns,
      ...queues,
      identity,
      onReady: (isPolling) => beating.first.then(() => ready(isPolling)),
    })
  } finally {
    stopReconciling()
    beating.stop()
    await ledger.drain()
    await Promise.all([codeRuns.end(), stores.network.close()])
    await connection.close().catch(() => undefined) // A worker that failed may hold on to it.
    await store.close()
    blobs.close()
    await admin.close()
    await traces.close()
    log.info('worker stopped')
  }

  function ready(isPolling: () => boolean): void {
    admin.started(isPolling)
    announce(log, { pool: config.WORKER_POOL, agents: [...agents.keys()] }, 'worker ready')
  }
}

/** What this process reads from and writes to; nothing is connected yet. */
function openStores(config: Config, log: Log) {
  const store = connectStore({
    uri: required(config, 'MONGODB_URI'),
    database: config.MONGODB_DATABASE,
    appName: 'troupe-worker',
  })
  const blobs = createS3Blobs(s3Options(config))
  const contents = createContents({ blobs, limitBytes: config.RESPONSE_OFFLOAD_BYTES })
  const tracing = config.TRACING !== 'disabled'
  const ledger = createLedger({ store, log, tracing, patienceMs: Infinity, onCommit: countCommit })
  const cancels = createCancelWatch(store, log)
  const network = createNetwork(config.NETWORK_ALLOW_PRIVATE)
  const { TRACE_RETENTION_DAYS: traceDays, EXECUTION_RETENTION_DAYS: executionDays } = config
  const keepHouse = createHousekeeping({ store, blobs, log, traceDays, executionDays })
  return {
    store,
    blobs,
    contents,
    ledger,
    cancels,
    transcripts: createTranscripts(store, contents),
    network,
    keepHouse,
  }
}

try {
  await main(loadConfig())
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
