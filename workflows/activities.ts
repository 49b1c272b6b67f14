import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow'
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
    ...agentOptions(priority),
    taskQueue: taskQueueOf(workflowInfo().taskQueue, pool),
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
  })
}

function agentOptions(priority: number): ActivityOptions {
  return {
    startToCloseTimeout: '24 hours',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    priority: { priorityKey: priority },
  }
}

/**
 * Starts plain code in the worker that runs the workflow. Tried once: code that could not be started there, or whose start
 * was lost, is run by `runCode` where its pool is.
 */
export const localActivities: Pick<Activities, 'startCode'> = proxyLocalActivities<Pick<Activities, 'startCode'>>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 1 },
})

/** Follows plain code in the worker that began it; fails soon after that worker is gone. */
export function followActivities(queue: string, priority: number): Pick<Activities, 'runCode'> {
  return proxyActivities<Pick<Activities, 'runCode'>>({
    ...agentOptions(priority),
    taskQueue: queue,
    scheduleToStartTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
  })
}

/** Activities that only need MongoDB: they run on whatever worker runs the workflow, without a task of their own. */
export const recordActivities: RecordActivities = proxyLocalActivities<RecordActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '20 seconds' },
})
