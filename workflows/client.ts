import { WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client'
import type { Priority } from '@temporalio/common'
import type { TaskRange } from '../core/execution.ts'
import { PRIORITY, workflowId } from '../core/queues.ts'
import type { BatchDocument, ExecutionDocument, Submitter } from '../store/documents.ts'
import type { batch } from './batch.ts'
import type { prompt } from './prompt.ts'
import { tasksAdded, tasksFreed } from './signals.ts'

/** The client that starts workflows: the only place that knows their types, ids and arguments. */
export interface WorkflowClient {
  temporal: Client
  /** Task queue of the workflows, and prefix of their ids. */
  queue: string
}

type Startable = Pick<ExecutionDocument, '_id' | 'kind' | 'agents' | 'batch_id' | 'submitted_by' | 'weight'>
type Wakeable = Pick<BatchDocument, '_id' | 'submitted_by' | 'weight'>

/**
 * Starts the workflow of an execution. A second start finds the running workflow.
 * @param anew - terminates the running workflow and starts another in one call.
 */
export async function startPrompt(
  { temporal, queue }: WorkflowClient,
  execution: Startable,
  anew = false,
): Promise<void> {
  const { _id: job, kind, batch_id } = execution
  const agents = execution.agents.map(({ name }) => name)
  const priority = PRIORITY[kind]
  await temporal.workflow.start<typeof prompt>('prompt', {
    workflowId: workflowId(queue, job),
    taskQueue: queue,
    workflowIdConflictPolicy: anew ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
    priority: priorityOf(priority, execution),
    staticSummary: `${kind}: ${agents.join(' → ')}`.slice(0, 200),
    args: [{ job, batch: batch_id, agents, priority }],
  })
}

/** Wakes a batch to plan tasks; starts its workflow if none is running. */
export async function wakeBatch({ temporal, queue }: WorkflowClient, woken: Wakeable): Promise<void> {
  await temporal.workflow.signalWithStart<typeof batch, []>('batch', {
    ...batchOptions(queue, woken),
    signal: tasksAdded,
    signalArgs: [],
  })
}

/**
 * Terminates the workflow of a batch and starts another in one call, so that nobody finds the batch ended in between.
 */
export async function restartBatch({ temporal, queue }: WorkflowClient, woken: Wakeable): Promise<void> {
  await temporal.workflow.start<typeof batch>('batch', {
    ...batchOptions(queue, woken),
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
  })
}

/**
 * The kind of work comes first; within a kind, API keys take turns by weight. The workflow's activities inherit both.
 */
function priorityOf(priorityKey: number, { submitted_by, weight }: Submitter): Priority {
  return { priorityKey, fairnessKey: submitted_by ?? undefined, fairnessWeight: weight }
}

function batchOptions(queue: string, { _id: id, ...submitter }: Wakeable) {
  return {
    workflowId: workflowId(queue, id),
    taskQueue: queue,
    priority: priorityOf(PRIORITY.task, submitter),
    staticSummary: `batch ${id}`,
    args: [{ batch: id }] as Parameters<typeof batch>,
  }
}

/** Reports to a batch how many tasks of a range are left. */
export async function signalFreed({ temporal, queue }: WorkflowClient, range: TaskRange, left: number): Promise<void> {
  await temporal.workflow.getHandle(workflowId(queue, range.batch)).signal(tasksFreed, range.from, left)
}

/**
 * Confirms that a found workflow is the one to stop, because the id of a deleted batch may belong to a new batch by
 * then. A workflow that is started later under the id is not stopped.
 */
type IsMeant = () => Promise<boolean>

/** Cancels the workflow of an execution or batch. It does nothing if the workflow has ended or never began. */
export async function cancelWorkflow(client: WorkflowClient, id: string, isMeant?: IsMeant): Promise<void> {
  await stopWorkflow(client, id, (handle) => handle.cancel(), isMeant)
}

/** Terminates the workflow of an execution or batch, unless it has ended. */
export async function terminateWorkflow(
  client: WorkflowClient,
  id: string,
  reason: string,
  isMeant?: IsMeant,
): Promise<void> {
  await stopWorkflow(client, id, (handle) => handle.terminate(reason), isMeant)
}

async function stopWorkflow(
  { temporal, queue }: WorkflowClient,
  id: string,
  stop: (handle: WorkflowHandle) => Promise<unknown>,
  isMeant?: IsMeant,
): Promise<void> {
  const latest = temporal.workflow.getHandle(workflowId(queue, id))
  try {
    if (isMeant === undefined) return void (await stop(latest))
    const { raw } = await latest.describe()
    const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? undefined
    if (await isMeant()) await stop(temporal.workflow.getHandle(latest.workflowId, undefined, { firstExecutionRunId }))
  } catch (error) {
    // The workflow has ended or never began.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
