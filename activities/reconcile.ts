import type { WorkflowExecutionStatusName } from '@temporalio/client'
import { messageOf } from '../core/errors.ts'
import type { BatchDocument, ExecutionDocument, ExecutionKind } from '../store/documents.ts'
import { DEFAULT_POOL, PRIORITY } from '../workflows/task-queues.ts'
import { cancelTasks } from '../store/cancel-tasks.ts'
import type { ActivityDependencies } from './dependencies.ts'
import {
  createRecordBatchStopped,
  createRecordShardFailure,
  failOutside,
  stoppedEntries,
  WITHOUT_CONTENT,
} from './record-outcome.ts'
import { findState, isStuck, runningWorkflows, type RunningWorkflows, type WorkflowState } from './workflow-state.ts'

/** Younger records may still be on their way: the API stores first and starts then. */
const GRACE_MS = 10_000
/** A workflow that runs is asked whether it can go on, this many of them in a pass, chosen at random. */
const ASKED_EACH_PASS = 100
/** Kinds whose executions have a workflow of their own; tasks belong to their batch's. */
const OWN_WORKFLOW: ExecutionKind[] = ['prompt', 'job', 'chat']
/** Times that a workflow which cannot go on is started anew from its records. */
const MAX_RESTARTS = 3
/** A pool without a beat for this long has no worker that could wind a canceled run down. */
const POOL_SILENT_MS = 30_000

/** The activity behind the reconcile schedule: closes every gap between what MongoDB says and what runs. */
export function createReconcile(deps: ActivityDependencies) {
  return async function reconcile(): Promise<void> {
    const before = new Date(Date.now() - GRACE_MS)
    const running = await runningWorkflows(deps)
    const own = { kind: { $in: OWN_WORKFLOW }, completed_at: null, created_at: { $lt: before } }
    const lean = { projection: WITHOUT_CONTENT }
    for await (const execution of deps.store.executions.find({ ...own, status: 'running' }, lean)) {
      if (running.own.has(execution._id) && !isAsked(running)) continue
      await attempt(deps, execution._id, () => closeRunning(deps, execution))
    }
    for await (const execution of deps.store.executions.find({ ...own, status: 'canceled' }, lean)) {
      await attempt(deps, execution._id, () => closeCanceled(deps, execution))
    }
    const open = { created_at: { $lt: before }, completed_at: null }
    for await (const batch of deps.store.batches.find(open)) {
      if (running.own.has(batch._id) && batch.status !== 'canceled' && !isAsked(running)) continue
      await attempt(deps, batch._id, () => closeBatch(deps, batch, running))
    }
    for (const workflowId of running.parts) {
      if (isAsked(running)) await attempt(deps, workflowId, () => endStuckPart(deps, workflowId))
    }
    await deps.keepHouse()
  }
}

function isAsked({ own, parts }: RunningWorkflows): boolean {
  return Math.random() * (own.size + parts.length) <= ASKED_EACH_PASS
}

/** One record that cannot be put right must not keep the others from it. */
async function attempt({ log }: ActivityDependencies, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn({ id, reason: messageOf(error) }, 'could not reconcile; the next pass tries again')
  }
}

async function closeRunning(deps: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  const state = await findState(deps, execution._id)
  if (state === undefined) return startPrompt(deps, execution)
  if (state.status === 'RUNNING') {
    if (await isStuck(deps, execution._id, state)) await restart(deps, execution, state)
    return
  }
  if (state.status === 'COMPLETED') return startPrompt(deps, execution)
  if (state.status === 'CANCELLED') return recordStopped(deps, execution)
  await failOutside(deps, execution, { code: 'workflow_ended', message: endedSentence(state.status) })
}

function endedSentence(status: WorkflowExecutionStatusName): string {
  return `The workflow was ended outside the service: ${status.toLowerCase().replaceAll('_', ' ')}.`
}

async function startPrompt(
  { temporal, queue, log }: ActivityDependencies,
  execution: ExecutionDocument,
  workflowIdConflictPolicy: 'USE_EXISTING' | 'TERMINATE_EXISTING' = 'USE_EXISTING',
): Promise<void> {
  log.info({ job_id: execution._id }, 'starting the workflow of a record that had none')
  const priority = PRIORITY[execution.kind]
  await temporal.workflow.start('prompt', {
    workflowId: execution._id,
    taskQueue: queue,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy,
    priority: { priorityKey: priority },
    args: [{ job: execution._id, agents: execution.agents, priority }],
  })
}

function stuckSentence({ problem = 'its workflow task keeps failing' }: WorkflowState): string {
  return `The workflow could not go on: ${problem.replace(/\.$/, '')}.`
}

/** A workflow that cannot go on is started anew: its recorded steps are not made again. */
async function restart(deps: ActivityDependencies, execution: ExecutionDocument, state: WorkflowState): Promise<void> {
  const { restarts = 0 } = execution
  const reason = stuckSentence(state)
  if (restarts >= MAX_RESTARTS) {
    await failOutside(deps, execution, { code: 'workflow_stuck', message: reason })
    await deps.temporal.workflow.getHandle(execution._id).terminate(reason)
    return
  }
  deps.log.warn({ job_id: execution._id, restarts }, `${reason} Starting it anew from its records.`)
  await deps.store.executions.updateOne({ _id: execution._id }, { $inc: { restarts: 1 } })
  // One call ends the old run and starts the new one: nobody can find it ended in between.
  await startPrompt(deps, execution, 'TERMINATE_EXISTING')
}

async function closeCanceled(deps: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  const state = await findState(deps, execution._id)
  if (state?.status === 'RUNNING') {
    const handle = deps.temporal.workflow.getHandle(execution._id)
    const stuck = await isStuck(deps, execution._id, state)
    if (!stuck && (await poolIsAlive(deps, execution))) return void (await handle.cancel())
    await handle.terminate('Canceled, and it cannot wind down: no worker of its pool is alive, or it cannot go on.')
  }
  await recordStopped(deps, execution)
}

async function poolIsAlive({ store }: ActivityDependencies, { agents }: ExecutionDocument): Promise<boolean> {
  const pools = agents.map(({ pool }) => pool ?? DEFAULT_POOL)
  const since = new Date(Date.now() - POOL_SILENT_MS)
  return (await store.agents.findOne({ pool: { $in: pools }, last_seen: { $gt: since } })) !== null
}

async function recordStopped(deps: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  await Promise.all((await stoppedEntries(deps, execution)).map((entry) => deps.ledger.append(entry)))
}

async function closeBatch(deps: ActivityDependencies, batch: BatchDocument, running: RunningWorkflows): Promise<void> {
  const state = await findState(deps, batch._id)
  if (batch.status === 'canceled') {
    await cancelTasks(deps, batch._id)
    if (state?.status !== 'RUNNING') return createRecordBatchStopped(deps)(batch._id)
    const handle = deps.temporal.workflow.getHandle(batch._id)
    if (await isStuck(deps, batch._id, state)) await handle.terminate(stuckSentence(state))
    else await handle.cancel()
    return
  }
  if (state?.status === 'RUNNING') {
    if (await isStuck(deps, batch._id, state)) await restartBatch(deps, batch, running, stuckSentence(state))
    return
  }
  const { added_at: addedAt = batch.created_at } = batch
  if (addedAt > new Date(Date.now() - GRACE_MS)) return
  const isOlder = state?.closedAt !== undefined && state.closedAt < addedAt
  if (state === undefined || state.status === 'COMPLETED' || isOlder) return wakeBatch(deps, batch._id)
  const failure = { code: 'workflow_ended', message: endedSentence(state.status) }
  await createRecordShardFailure(deps)({ batch: batch._id, from: 0, to: batch.task_count }, failure)
}

async function wakeBatch({ temporal, queue, log }: ActivityDependencies, id: string): Promise<void> {
  log.info({ batch_id: id }, 'waking a batch that has tasks left')
  await temporal.workflow.signalWithStart('batch', {
    workflowId: id,
    taskQueue: queue,
    priority: { priorityKey: PRIORITY.task },
    args: [{ batch: id, from: 0 }],
    signal: 'tasksAdded',
  })
}

/** Its shards go first: the end of their parent would cancel their tasks. */
async function restartBatch(
  deps: ActivityDependencies,
  { _id: id, restarts = 0, task_count: to }: BatchDocument,
  { parts }: RunningWorkflows,
  reason: string,
): Promise<void> {
  const workflowIds = [...parts.filter((part) => part.startsWith(`${id}/`)), id]
  for (const workflowId of workflowIds) await deps.temporal.workflow.getHandle(workflowId).terminate(reason)
  if (restarts >= MAX_RESTARTS) {
    return createRecordShardFailure(deps)({ batch: id, from: 0, to }, { code: 'workflow_stuck', message: reason })
  }
  deps.log.warn({ batch_id: id, restarts }, `${reason} Starting it anew from its records.`)
  await deps.store.batches.updateOne({ _id: id }, { $inc: { restarts: 1 } })
  await wakeBatch(deps, id)
}

/** A shard, or an agent that code called: whoever started it starts it anew. */
async function endStuckPart(deps: ActivityDependencies, workflowId: string): Promise<void> {
  const state = await findState(deps, workflowId)
  if (state?.status !== 'RUNNING' || !(await isStuck(deps, workflowId, state))) return
  await deps.temporal.workflow.getHandle(workflowId).terminate(stuckSentence(state))
}
