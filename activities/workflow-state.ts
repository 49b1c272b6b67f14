import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client'
import type { ActivityDependencies } from './dependencies.ts'

/** What Temporal says of a workflow. */
export interface WorkflowState {
  status: WorkflowExecutionStatusName
  /** Attempts at its current workflow task. */
  taskAttempts: number
  /** When it ended; absent while it runs. */
  closedAt?: Date
  /** Why its last workflow task failed, where that is known. */
  problem?: string
}

const FAILED_TASK_ATTEMPTS = 3
const LATEST_EVENTS = 100

export interface RunningWorkflows {
  /** Ids of executions and batches: their workflows' ids are their own. */
  own: Set<string>
  /** Workflow ids of shards and calls, which begin with the id that they belong to. */
  parts: string[]
}

/** The workflows that run, as the visibility store lists them (it lags a little). */
export async function runningWorkflows({ temporal, queue }: ActivityDependencies): Promise<RunningWorkflows> {
  const running: RunningWorkflows = { own: new Set(), parts: [] }
  const types = "('prompt', 'batch', 'shard', 'call')"
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${queue}' AND WorkflowType IN ${types}`
  for await (const { workflowId, type } of temporal.workflow.list({ query, pageSize: 1000 })) {
    if (type === 'prompt' || type === 'batch') running.own.add(workflowId)
    else running.parts.push(workflowId)
  }
  return running
}

/** The state of the latest run of a workflow; undefined when there is none. */
export async function findState(
  { temporal }: ActivityDependencies,
  workflowId: string,
): Promise<WorkflowState | undefined> {
  try {
    const { status, raw, closeTime } = await temporal.workflow.getHandle(workflowId).describe()
    const closed = closeTime === undefined ? {} : { closedAt: closeTime }
    return { status: status.name, taskAttempts: raw.pendingWorkflowTask?.attempt ?? 0, ...closed }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/**
 * Whether a workflow cannot go on: its workflow task failed, was tried again, and failed again. A task that merely waits
 * for a worker, or whose worker died, is not stuck. Fills in `problem`.
 */
export async function isStuck(
  { temporal }: ActivityDependencies,
  workflowId: string,
  state: WorkflowState,
): Promise<boolean> {
  if (state.taskAttempts < FAILED_TASK_ATTEMPTS) return false
  const { history } = await temporal.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: temporal.options.namespace,
    execution: { workflowId },
    maximumPageSize: LATEST_EVENTS,
  })
  // A signal or an activity's end may have come in after the failure, which is written once and not for every attempt.
  const task = history?.events?.find(
    ({ workflowTaskFailedEventAttributes: failed, workflowTaskCompletedEventAttributes: completed }) =>
      failed != null || completed != null,
  )
  const failed = task?.workflowTaskFailedEventAttributes
  if (failed == null) return false
  state.problem = failed.failure?.message ?? undefined
  return true
}
