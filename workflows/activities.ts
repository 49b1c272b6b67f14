import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  type LocalActivityOptions,
} from '@temporalio/workflow'
import type { Activities } from '../activities/create-activities.ts'
import { poolQueue } from '../core/queues.ts'

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
