import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client'
import { workflowId, workflowSubject } from '../core/queues.ts'
import type { ActivityDependencies } from './dependencies.ts'

/** The state of a workflow in Temporal. */
export interface WorkflowState {
  status: WorkflowExecutionStatusName
  /** Attempts at the current workflow task. */
  taskAttempts: number
  /** The end of the workflow; absent while it runs. */
  closedAt?: Date
}

/** Why a workflow cannot continue. */
export interface Problem {
  sentence: string
  /** The code and the history do not match, or the workflow never made a decision: a restart loses nothing. */
  isRestartable: boolean
  /** Build of the worker that failed. */
  buildId: string
}

/** The workflows of the installation that run. */
export interface RunningWorkflows {
  /** Ids of their executions and batches. */
  own: Set<string>
  /** Workflow ids of a version whose ids did not begin with the queue. */
  old: string[]
}

const FAILED_TASK_ATTEMPTS = 3
const LATEST_EVENTS = 100
/** `WorkflowTaskFailedCause` of Temporal's API. */
const NON_DETERMINISTIC_ERROR = 24

/** The workflows that run, as the visibility store lists them (it lags a little). */
export async function runningWorkflows({ temporal, queue }: ActivityDependencies): Promise<RunningWorkflows> {
  const running: RunningWorkflows = { own: new Set(), old: [] }
  const types = "('prompt', 'batch', 'shard', 'call')"
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${queue}' AND WorkflowType IN ${types}`
  for await (const { workflowId: id } of temporal.workflow.list({ query, pageSize: 1000 })) {
    const subject = workflowSubject(queue, id)
    if (subject === undefined) running.old.push(id)
    else running.own.add(subject)
  }
  return running
}

/** The state of the latest run of the workflow of an execution or batch; undefined when there is none. */
export async function findState(
  { temporal, queue }: ActivityDependencies,
  id: string,
): Promise<WorkflowState | undefined> {
  try {
    const { status, raw, closeTime } = await temporal.workflow.getHandle(workflowId(queue, id)).describe()
    return { status: status.name, taskAttempts: raw.pendingWorkflowTask?.attempt ?? 0, closedAt: closeTime }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/**
 * Why a workflow cannot go on: its workflow task failed, was tried again, and failed again. Undefined for one whose task merely
 * waits for a worker, or whose worker died.
 */
export async function findProblem(
  { temporal, queue }: ActivityDependencies,
  id: string,
  state: WorkflowState,
): Promise<Problem | undefined> {
  if (state.taskAttempts < FAILED_TASK_ATTEMPTS) return undefined
  const { history } = await temporal.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: temporal.options.namespace,
    execution: { workflowId: workflowId(queue, id) },
    maximumPageSize: LATEST_EVENTS,
  })
  // A signal or an activity's end may have come in after the failure, which is written once and not for every attempt.
  const task = history?.events?.find(
    ({ workflowTaskFailedEventAttributes: failed, workflowTaskCompletedEventAttributes: completed }) =>
      failed != null || completed != null,
  )
  const failed = task?.workflowTaskFailedEventAttributes
  if (failed == null) return undefined
  const isWhole = history?.events?.some(({ workflowExecutionStartedEventAttributes: started }) => started != null)
  const hasDecidedNothing =
    isWhole === true &&
    !history?.events?.some(({ workflowTaskCompletedEventAttributes: completed }) => completed != null)
  return {
    sentence: (failed.failure?.message ?? 'its workflow task keeps failing').replace(/\.$/, ''),
    isRestartable: failed.cause === NON_DETERMINISTIC_ERROR || hasDecidedNothing,
    buildId: failed.workerVersion?.buildId ?? failed.binaryChecksum ?? 'unknown',
  }
}
