import { ActivityCancellationType, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/create-activities.ts'
import { taskQueueOf } from './task-queues.ts'

type AgentActivities = Pick<Activities, 'callModel' | 'callTool' | 'runCode' | 'runTasks'>
type RecordActivities = Pick<
  Activities,
  | 'planShards'
  | 'listTasks'
  | 'recordFailure'
  | 'recordShardFailure'
  | 'recordStopped'
  | 'recordBatchStopped'
  | 'reconcile'
>

/**
 * The activities of an agent, where its pool's workers are. They beat by themselves: a dead worker is noticed within the
 * heartbeat timeout, a long one may take a day. Retried without end: what may fail for good is recorded by the activity.
 */
export function agentActivities(pool: string, priority: number): AgentActivities {
  return proxyActivities<AgentActivities>({
    taskQueue: taskQueueOf(workflowInfo().taskQueue, pool),
    startToCloseTimeout: '24 hours',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    priority: { priorityKey: priority },
  })
}

/** Activities that only need MongoDB: they run on whatever worker runs the workflow, without a task of their own. */
export const recordActivities: RecordActivities = proxyLocalActivities<RecordActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '20 seconds' },
})
