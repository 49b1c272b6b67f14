import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultLogger, Runtime, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker'
import type { CodeRuns } from '../activities/code-runs.ts'
import type { Activities } from '../activities/create-activities.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { traceSinks } from '../observability/external-tracing.ts'
import { observeActivities } from '../observability/observe-activities.ts'
import { DEFAULT_POOL, taskQueueOf } from '../workflows/task-queues.ts'
import { workflowBundle } from './workflow-bundle.ts'

/**
 * Activities that wait for models and tools cost little: a worker takes many, more than the window of a batch can fill, so
 * that a chat finds a free place.
 */
const MAX_ACTIVITIES = 1_000
/** Few tasks come this way: most code ends before it needs one. */
const OWN_QUEUE_POLLS = 2
/** The engine gives out the task of code that has begun within milliseconds, unless it is very busy. */
const FOLLOWED_WITHIN_MS = 2_000
/**
 * A workflow task stays open while code begins beside it; but those that this process has taken run one after the other, so
 * the more they are the longer a chat waits behind them.
 */
const MAX_WORKFLOW_TASKS = 100
const SHUTDOWN_GRACE = '10 seconds'
const LOOK_MS = 1_000

/**
 * Sends the engine's own log lines into ours.
 * @param metricsAddress - where its native part serves its metrics; undefined keeps none.
 */
export function installRuntime(log: Log, metricsAddress: string | undefined): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta: { error, ...meta } = {} }) =>
      log[levels[level]]({ ...meta, ...(error === undefined ? {} : { err: error }) }, message),
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
  activities: Activities
  codeRuns: CodeRuns
  queue: string
  ownQueue: string
  identity: string
  /** Called once everything polls, with a function that says whether it still does. */
  onReady: (isPolling: () => boolean) => Promise<void>
}

/**
 * Runs the workers of a process until it is told to stop: one for all workflows (with the activities of the default pool),
 * one that follows what this process has begun, and for another pool one more that has only its activities.
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { config, queue, ownQueue, activities } = options
  const isDefault = config.WORKER_POOL === DEFAULT_POOL
  const workflows = { workflowBundle: { codePath: await workflowBundle() } }
  // Records are local activities, so a pool's worker needs the functions, but polls no activity tasks of the default pool.
  const workers = [
    await Worker.create({ ...common(options, queue), ...workflows, enableNonLocalActivities: isDefault }),
  ]
  if (!isDefault) workers.push(await Worker.create(common(options, taskQueueOf(queue, config.WORKER_POOL))))
  const follower = await Worker.create({
    ...common(options, ownQueue),
    activities: { runCode: activities.runCode },
    maxConcurrentActivityTaskPolls: OWN_QUEUE_POLLS,
  })
  const all = [...workers, follower]
  const running = runTogether(all)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void shutDown(workers, follower, options))
  await options.onReady(() => all.every((worker) => worker.getState() === 'RUNNING'))
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
  }, LOOK_MS)
  try {
    await Promise.race([Promise.all(workers.map((worker) => worker.run())), failed.promise])
  } finally {
    clearInterval(look)
  }
}

/** Code that has just begun is followed before nothing is followed any more: it then has its grace like everything else. */
async function shutDown(workers: Worker[], follower: Worker, { codeRuns }: WorkersOptions): Promise<void> {
  const followed = codeRuns.close()
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  await Promise.race([followed, sleep(FOLLOWED_WITHIN_MS)])
  if (follower.getState() === 'RUNNING') follower.shutdown()
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
