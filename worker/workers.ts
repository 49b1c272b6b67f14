import { DefaultLogger, Runtime, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker'
import type { InProcessRuns } from '../activities/attempt/in-process-runs.ts'
import type { Config } from '../config.ts'
import { DEFAULT_POOL, poolQueue } from '../core/queues.ts'
import type { Log } from '../log.ts'
import { traceSinks } from '../observability/external-tracing.ts'
import { observeActivities } from '../observability/observe-activities.ts'
import { workflowBundle } from './workflow-bundle.ts'

/** Legs mostly wait for models and tools and cost little. The limit is high, so that a chat finds a free slot. */
const MAX_ACTIVITIES = 2_000
/**
 * A workflow task stays open while an agent begins beside it. Tasks that this process has taken run one after the
 * other, so a higher limit makes a chat wait longer.
 */
const MAX_WORKFLOW_TASKS = 100
/** The time that started work has to finish at shutdown. Another worker continues the rest. */
const SHUTDOWN_GRACE = '10 seconds'
const POLL_INTERVAL_MS = 1_000

/**
 * Redirects the log lines of Temporal's SDK to the worker's log.
 * @param metricsAddress - address at which the SDK's native part serves its metrics; undefined disables them.
 */
export function installRuntime(log: Log, metricsAddress: string | undefined): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta: { error, ...meta } = {} }) =>
      log[levels[level]]({ ...meta, err: error }, message),
    ),
    // runWorkers handles the signals.
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
  /** Called once all workers poll, with a function that reports whether they still do. */
  onReady: (isPolling: () => boolean) => Promise<void>
}

/**
 * Runs the workers of a process until it is told to stop: one for all workflows (with the activities of the default
 * pool), and for another pool a second one with that pool's activities.
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { config, queue, runs } = options
  const isDefault = config.WORKER_POOL === DEFAULT_POOL
  const workflows = { workflowBundle: { codePath: await workflowBundle() } }
  // Records are local activities: a pool's worker needs their functions, but polls no activity tasks of the default
  // pool.
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
 * Runs the workers until all have ended or one has failed, which ends the process.
 * A failed worker's own promise is not awaited, because it settles only after the responses to all tasks that the
 * native part handed out, and these no longer come.
 * @throws Error if a worker failed; the log has the reason.
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
