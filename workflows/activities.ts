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
  /** There are more that may be begun. */
  more: boolean
}

/** What became of a range. */
export interface RangeEnd {
  /** Tasks that were run. */
  tasks: number
  /** Its agent is hosted in another pool by now. */
  isElsewhere: boolean
}

/** What workflows have done for them: all that is not a decision. */
export interface Activities {
  /** Begins a leg in the worker that has the workflow task, if it hosts the agent. */
  beginLeg: (run: AgentRun, tried: Tried) => Promise<LegStart>
  /** Takes an agent run on, in a pool's worker. */
  runLeg: (run: AgentRun) => Promise<LegStart>
  /** Runs what is open of a range, in a pool's worker. */
  runTasks: (range: TaskRange) => Promise<RangeEnd>
  /** Looks for ranges of a batch that may be begun, from where each of its agents stands. */
  planRanges: (batch: string, cursors: Record<string, AgentCursor>) => Promise<RangePlan>
  /** In which pool an agent is run. */
  poolOf: (agent: string) => Promise<string>
  /** Ends a run whose activity did not live to do so. @returns how it has ended, which others may have been first to say */
  recordFailure: (run: AgentRun, failure: OutsideFailure) => Promise<EndStatus>
  /** Ends what is left of a range. */
  recordRangeFailure: (range: TaskRange, failure: OutsideFailure) => Promise<void>
  /** Records that a canceled execution has come to rest. */
  recordStopped: (job: string) => Promise<void>
  /** The same of a batch. */
  recordBatchStopped: (batch: string) => Promise<void>
  /** Closes every gap between what is recorded and what runs. */
  reconcile: () => Promise<void>
}

type PoolActivities = Pick<Activities, 'runLeg' | 'runTasks'>
type RecordActivities = Omit<Activities, keyof PoolActivities | 'beginLeg'>

/** A pool's worker takes work within this time, or the agent is looked for in other pools again. */
const FIND_POOL_AGAIN = '2 minutes'

/**
 * What is done where a pool's workers are. The activities beat by themselves: a dead worker is noticed within the heartbeat
 * timeout, a long leg may take a day. Retried without end: what may fail for good is recorded by the activity.
 * @param summary - what operators read beside the activity.
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

/** Begins a leg in the worker that runs the workflow. Tried once: what cannot begin there is run where its pool is. */
export const { beginLeg }: Pick<Activities, 'beginLeg'> = proxyLocalActivities<Pick<Activities, 'beginLeg'>>({
  ...RECORDS,
  retry: { maximumAttempts: 1 },
})

/** Activities that only need MongoDB: they run on whatever worker runs the workflow, without a task of their own. */
export const records: RecordActivities = proxyLocalActivities<RecordActivities>(RECORDS)
