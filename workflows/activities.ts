import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  type LocalActivityOptions,
} from '@temporalio/workflow'
import type { AgentRun, EndStatus, LegStart, TaskRange } from '../core/execution.ts'
import { poolQueue } from '../core/queues.ts'
import type { Tried } from '../core/transitions.ts'
import type { OutsideFailure } from './failures.ts'
import type { AgentCursor } from './task-window.ts'

/** The next ranges of a batch. */
export interface RangePlan {
  ranges: TaskRange[]
  /** More ranges may begin now. */
  more: boolean
}

/** The outcome of a range. */
export interface RangeEnd {
  /** Number of tasks that ran. */
  tasks: number
  /** The agent is now hosted in another pool. */
  isElsewhere: boolean
}

/** The activities of the workflows: everything but decisions. */
export interface Activities {
  /** Begins a leg in the workflow task's worker if it hosts the agent. */
  beginLeg: (run: AgentRun, tried: Tried) => Promise<LegStart>
  /** Advances an agent run in a worker of a pool. */
  runLeg: (run: AgentRun) => Promise<LegStart>
  /** Runs the open tasks of a range in a worker of a pool. */
  runTasks: (range: TaskRange) => Promise<RangeEnd>
  /** Plans the ranges of a batch that may begin, from the cursor of each agent. */
  planRanges: (batch: string, cursors: Record<string, AgentCursor>) => Promise<RangePlan>
  /** The pool in which an agent runs. */
  poolOf: (agent: string) => Promise<string>
  /**
   * Ends a run whose activity did not survive to do so.
   * @returns the recorded end, which another writer may have recorded first.
   */
  recordFailure: (run: AgentRun, failure: OutsideFailure) => Promise<EndStatus>
  /** Ends the open tasks of a range. */
  recordRangeFailure: (range: TaskRange, failure: OutsideFailure) => Promise<void>
  /** Records that a canceled execution is at rest. */
  recordStopped: (job: string) => Promise<void>
  /** Records that a canceled batch is at rest. */
  recordBatchStopped: (batch: string) => Promise<void>
  /** Closes every gap between the records and the running workflows. */
  reconcile: () => Promise<void>
}

type PoolActivities = Pick<Activities, 'runLeg' | 'runTasks'>
type RecordActivities = Omit<Activities, keyof PoolActivities | 'beginLeg'>

/** If no worker of the pool takes the work within this time, the workflow looks up the agent's pool again. */
const FIND_POOL_AGAIN = '2 minutes'

/**
 * Activities that run in a pool's workers. They send heartbeats themselves, so a dead worker is noticed within the
 * heartbeat timeout although a long leg may take a day. Temporal retries them without limit, because the activity
 * itself records a permanent failure.
 * @param summary - shown to operators beside the activity.
 */
export function poolActivities(pool: string, priority: number, summary: string): PoolActivities {
  return proxyActivities<PoolActivities>({
    taskQueue: poolQueue(workflowInfo().taskQueue, pool),
    scheduleToStartTimeout: FIND_POOL_AGAIN,
    startToCloseTimeout: '24 hours',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
    priority: { priorityKey: priority },
    summary: summary.slice(0, 200),
  })
}

const RECORDS: LocalActivityOptions = {
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '20 seconds' },
}

/**
 * Begins a leg in the worker that runs the workflow. There is one attempt, because a leg that cannot begin there runs
 * in its pool.
 */
export const { beginLeg }: Pick<Activities, 'beginLeg'> = proxyLocalActivities<Pick<Activities, 'beginLeg'>>({
  ...RECORDS,
  retry: { maximumAttempts: 1 },
})

/** Local activities that need only MongoDB. They run in the workflow's worker without a task of their own. */
export const records: RecordActivities = proxyLocalActivities<RecordActivities>(RECORDS)
