import { messageOf } from '../core/errors.ts'
import type { ExecutionKind } from '../core/execution.ts'
import { reconcileAction } from '../core/transitions.ts'
import { isAlive } from '../store/agents.ts'
import { cancelTasks } from '../store/cancel-tasks.ts'
import type { BatchDocument, ExecutionDocument } from '../store/documents.ts'
import { cancelWorkflow, restartBatch, startPrompt, terminateWorkflow, wakeBatch } from '../workflows/client.ts'
import type { ActivityDependencies } from './dependencies.ts'
import {
  createRecordBatchStopped,
  createRecordRangeFailure,
  failOutside,
  recordStop,
  WITHOUT_CONTENT,
} from './record-outcome.ts'
import {
  findProblem,
  findState,
  runningWorkflows,
  type Problem,
  type RunningWorkflows,
  type WorkflowState,
} from './workflow-state.ts'

/** Younger records may still be on their way: the API stores first and starts then. */
const GRACE_MS = 10_000
/** A workflow that runs is examined whether it can go on, this many of them in a pass, chosen at random. */
const SAMPLED_EACH_PASS = 100
/** Kinds whose executions have a workflow of their own; tasks belong to their batch's until they are detached. */
const OWN_WORKFLOW: ExecutionKind[] = ['prompt', 'job', 'chat']

/** The activity behind the reconcile schedule: closes every gap between what MongoDB says and what runs. */
export function createReconcile(deps: ActivityDependencies) {
  return async function reconcile(): Promise<void> {
    const before = new Date(Date.now() - GRACE_MS)
    const running = await runningWorkflows(deps)
    for (const id of running.old) await guarded(deps, id, () => endOld(deps, id))
    const lean = { projection: WITHOUT_CONTENT }
    const open = async function* (status: 'running' | 'canceled') {
      for (const own of [{ kind: { $in: OWN_WORKFLOW } }, { detached: true }]) {
        const filter = { ...own, status, completed_at: null, created_at: { $lt: before } }
        for await (const found of deps.store.executions.find(filter, lean)) yield found as ExecutionDocument
      }
    }
    for await (const execution of open('running')) {
      if (running.own.has(execution._id) && !isSampled(running)) continue
      await guarded(deps, execution._id, () => closeRunning(deps, execution))
    }
    for await (const execution of open('canceled')) {
      await guarded(deps, execution._id, () => closeCanceled(deps, execution))
    }
    for await (const batch of deps.store.batches.find({ created_at: { $lt: before }, completed_at: null })) {
      if (running.own.has(batch._id) && batch.status !== 'canceled' && !isSampled(running)) continue
      await guarded(deps, batch._id, () => closeBatch(deps, batch))
    }
    await deps.keepHouse()
  }
}

function isSampled({ own }: RunningWorkflows): boolean {
  return Math.random() * own.size <= SAMPLED_EACH_PASS
}

/** One record that cannot be put right must not keep the others from it. */
async function guarded({ log }: ActivityDependencies, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn({ id, error: messageOf(error) }, 'cannot reconcile; the next pass tries again')
  }
}

/** What an earlier version had begun goes on from its records, in a workflow of this one. */
async function endOld({ temporal }: ActivityDependencies, id: string): Promise<void> {
  await temporal.workflow.getHandle(id).terminate('It belongs to a version before this one.')
}

async function closeRunning(deps: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  const { _id: id, restarts } = execution
  const [state, problem] = await examine(deps, id)
  switch (reconcileAction({ workflow: state?.status, problem, restarts }, new Date())) {
    case 'start':
      deps.log.info({ job_id: id }, 'starting the workflow of a record that had none')
      return startPrompt(deps, execution)
    case 'restart':
      deps.log.warn({ job_id: id, restarts, problem }, 'a workflow cannot go on; starting it anew from its records')
      await deps.store.executions.updateOne({ _id: id }, restarted())
      return startPrompt(deps, execution, true)
    case 'report':
      return reportStuck(deps, { job_id: id }, problem)
    case 'record_stop':
      return recordStop(deps, execution)
    case 'fail':
      return failOutside(deps, execution, { code: 'workflow_ended', message: endedSentence(state) })
    case 'nothing':
  }
}

async function examine(
  deps: ActivityDependencies,
  id: string,
): Promise<[WorkflowState | undefined, Problem | undefined]> {
  const state = await findState(deps, id)
  return [state, state?.status === 'RUNNING' ? await findProblem(deps, id, state) : undefined]
}

function restarted() {
  return { $inc: { 'restarts.count': 1 }, $set: { 'restarts.at': new Date() } }
}

function reportStuck({ log, onStuck }: ActivityDependencies, fields: object, problem: Problem | undefined): void {
  onStuck()
  log.error(
    { ...fields, ...problem },
    'a workflow cannot go on with this version of its code; it waits for another one',
  )
}

function endedSentence(state: WorkflowState | undefined): string {
  const status = (state?.status ?? 'gone').toLowerCase().replaceAll('_', ' ')
  return `The workflow was ended outside the service: ${status}.`
}

async function closeCanceled(deps: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  const [state, problem] = await examine(deps, execution._id)
  if (state?.status === 'RUNNING') {
    if (problem === undefined && (await poolIsAlive(deps, execution))) return cancelWorkflow(deps, execution._id)
    const reason = 'Canceled, and it cannot wind down: no worker of its pool is alive, or it cannot go on.'
    await terminateWorkflow(deps, execution._id, reason)
  }
  await recordStop(deps, execution)
}

async function poolIsAlive({ store }: ActivityDependencies, { agents }: ExecutionDocument): Promise<boolean> {
  const filter = { name: { $in: agents.map(({ name }) => name) } }
  const rows = await store.agents.find(filter, { projection: { last_seen: 1 } }).toArray()
  const now = new Date()
  return rows.some((row) => isAlive(row, now))
}

async function closeBatch(deps: ActivityDependencies, batch: BatchDocument): Promise<void> {
  const { _id: id, restarts } = batch
  const [state, problem] = await examine(deps, id)
  if (batch.status === 'canceled') return closeCanceledBatch(deps, id, state, problem)
  const { added_at: addedAt = batch.created_at } = batch
  if (state?.status !== 'RUNNING' && addedAt > new Date(Date.now() - GRACE_MS)) return
  // What ended before tasks were added says nothing about them.
  const isOlder = state?.closedAt !== undefined && state.closedAt < addedAt
  const workflow = isOlder ? undefined : state?.status
  switch (reconcileAction({ workflow, problem, restarts }, new Date())) {
    case 'start':
      if (!(await hasTasksToRun(deps, id))) return
      deps.log.info({ batch_id: id }, 'waking a batch that has tasks left')
      return wakeBatch(deps, batch)
    case 'restart':
      deps.log.warn({ batch_id: id, restarts, problem }, 'a batch cannot go on; starting it anew from its records')
      await deps.store.batches.updateOne({ _id: id }, restarted())
      return restartBatch(deps, batch)
    case 'report':
      return reportStuck(deps, { batch_id: id }, problem)
    case 'record_stop':
    case 'fail': {
      const failure = { code: 'workflow_ended', message: endedSentence(state) }
      return createRecordRangeFailure(deps)({ batch: id, from: 0, to: batch.task_count }, failure)
    }
    case 'nothing':
  }
}

/** Tasks that go on under workflows of their own are not their batch's to run. */
async function hasTasksToRun({ store }: ActivityDependencies, batch_id: string): Promise<boolean> {
  const filter = { batch_id, completed_at: null, detached: { $ne: true } }
  return (await store.executions.findOne(filter, { projection: { _id: 1 } })) !== null
}

async function closeCanceledBatch(
  deps: ActivityDependencies,
  id: string,
  state: WorkflowState | undefined,
  problem: Problem | undefined,
): Promise<void> {
  await cancelTasks(deps, id)
  if (state?.status !== 'RUNNING') return createRecordBatchStopped(deps)(id)
  if (problem !== undefined) return terminateWorkflow(deps, id, `It cannot go on: ${problem.sentence}.`)
  await cancelWorkflow(deps, id)
}
