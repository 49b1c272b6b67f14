import { DefaultLogger, Runtime, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker'
import type { InProcessRuns } from '../activities/attempt/in-process-runs.ts'
import type { Config } from '../config.ts'
import { DEFAULT_POOL, poolQueue } from '../core/queues.ts'
import type { Log } from '../log.ts'
import { traceSinks } from '../observability/external-tracing.ts'
import { observeActivities } from '../observability/observe-activities.ts'
import { workflowBundle } from './workflow-bundle.ts'

/** Legs wait for models and tools, and cost little: a worker takes many, so that a chat finds a free slot. */
const MAX_ACTIVITIES = 2_000
/**
 * A workflow task stays open while an agent begins beside it; but those that this process has taken run one after the other, so
 * the more they are the longer a chat waits behind them.
 */
const MAX_WORKFLOW_TASKS = 100
/** What has begun may take this long to end; what is left then is gone on with by another worker. */
const SHUTDOWN_GRACE = '10 seconds'
const POLL_INTERVAL_MS = 1_000

/**
 * Sends the own log lines of Temporal's SDK into ours.
 * @param metricsAddress - where its native part serves its metrics; undefined keeps none.
 */
export function installRuntime(log: Log, metricsAddress: string | undefined): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta: { error, ...meta } = {} }) =>
      log[levels[level]]({ ...meta, err: error }, message),
    ),
    // Handled where the workers are.
    shutdownSignals: [],
    ...(metricsAddress === undefined ? {} : { telemetryOptions: coreTelemetry(metricsAddress) }),
  })
}

function coreTelemetry(bindAddress: string) {
  return {
    metrics: { prometheus: { bindAddress, useSecondsForDurations: true, countersTotalSuffix: true, unitSuffix: true } },
  }
}

export interface WorkersOptions {
  config: Config
  connection: NativeConnection
  activities: object
  runs: InProcessRuns
  queue: string
  identity: string
  /** Called once everything polls, with a function that says whether it still does. */
  onReady: (isPolling: () => boolean) => Promise<void>
}

/**
 * Runs the workers of a process until it is told to stop: one for all workflows (with the activities of the default pool),
 * and for another pool one more that has only its activities.
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { config, queue, runs } = options
  const isDefault = config.WORKER_POOL === DEFAULT_POOL
  const workflows = { workflowBundle: { codePath: await workflowBundle() } }
  // Records are local activities, so a pool's worker needs the functions, but polls no activity tasks of the default pool.
  const workers = [
    await Worker.create({ ...common(options, queue), ...workflows, enableNonLocalActivities: isDefault }),
  ]
  if (!isDefault) workers.push(await Worker.create(common(options, poolQueue(queue, config.WORKER_POOL))))
  const running = runTogether(workers)
  const shutDown = (): void => {
    runs.close()
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, shutDown)
  await options.onReady(() => workers.every((worker) => worker.getState() === 'RUNNING'))
  await running
}

/**
 * Runs them until all have ended, or one has failed, which ends the process.
 *
 * The failed one's own promise is not waited for: it settles when all that its native part had given out has been answered,
 * and nobody answers any more.
 * @throws Error when one of them failed; the log has the reason.
 */
export async function runTogether(workers: Pick<Worker, 'run' | 'getState'>[]): Promise<void> {
  const failed = Promise.withResolvers<never>()
  const look = setInterval(() => {
    if (workers.some((worker) => worker.getState() === 'FAILED')) failed.reject(new Error('A Temporal worker failed.'))
  }, POLL_INTERVAL_MS)
  try {
    await Promise.race([Promise.all(workers.map((worker) => worker.run())), failed.promise])
  } finally {
    clearInterval(look)
  }
}

function common({ config, connection, activities, identity }: WorkersOptions, taskQueue: string): WorkerOptions {
  return {
    connection,
    identity,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue,
    activities,
    interceptors: { activity: [observeActivities] },
    sinks: traceSinks,
    maxConcurrentActivityTaskExecutions: MAX_ACTIVITIES,
    maxConcurrentLocalActivityExecutions: MAX_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: '30 seconds',
  }
}
