import { Context } from '@temporalio/activity'
import { messageOf } from '../core/errors.ts'
import type { ExecutionKind } from '../core/execution.ts'
import { reconcileAction } from '../core/transitions.ts'
import { isAlive } from '../store/registry/agents.ts'
import { cancelTasks, isCanceledBatch } from '../store/cancel-tasks.ts'
import type { BatchDocument, ExecutionDocument, OpenDocument } from '../store/documents.ts'
import { cancelWorkflow, restartBatch, startPrompt, terminateWorkflow, wakeBatch } from '../workflows/client.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { failOutside, isHeld, recordBatchStopped, recordRangeFailure, recordStop } from './record-outcome.ts'
import {
  findProblem,
  findState,
  runningWorkflows,
  type Problem,
  type RunningWorkflows,
  type WorkflowState,
} from './workflow-state.ts'
import { OF_RANGE, RUNNING } from '../store/open.ts'

/** Younger records are skipped, because the API first stores and then starts the workflow. */
const GRACE_MS = 10_000
/** Number of running workflows that a pass examines for problems, chosen at random. */
const SAMPLED_EACH_PASS = 100
/** Number of records that a pass repairs concurrently. Each takes a few sequential requests to Temporal. */
export const AT_ONCE = 8
/** Kinds with their own workflow; a task belongs to its batch's workflow until it is detached. */
const OWN_WORKFLOW: ExecutionKind[] = ['prompt', 'job', 'chat']

/** A record that may disagree with the running workflows, and its repair. */
interface Gap {
  id: string
  close: () => Promise<void>
}

/** The activity of the reconcile schedule: closes every gap between MongoDB's records and the running workflows. */
export function createReconcile(deps: ActivityDependencies) {
  const pass = createPass(deps)
  return () => pass(Context.current().cancellationSignal)
}

/**
 * Creates the passes of a worker. A pass whose signal fires stops between two records, so that passes do not overlap.
 * The worker's next pass continues there, so that the last of many records has its turn.
 */
export function createPass(deps: ActivityDependencies): (signal: AbortSignal) => Promise<void> {
  let left: AsyncGenerator<Gap> | undefined
  return async function pass(signal) {
    const gaps = left ?? findGaps(deps)
    left = undefined
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    let asking = 0
    const over = (): void => {
      // Kept immediately, because the next pass may begin while this one still repairs its last records. Not kept
      // during a pending query, because MongoDB may never respond; the next pass queries again.
      if (asking === 0) left = gaps
      stop()
    }
    signal.addEventListener('abort', over, { once: true })
    async function closeSome(): Promise<boolean> {
      while (!signal.aborted) {
        asking += 1
        const next = await Promise.race([gaps.next(), stopped])
        asking -= 1
        if (next === undefined) return false
        if (next.done === true) return true
        await guarded(deps, next.value)
      }
      return false
    }
    const ends = await Promise.all(Array.from({ length: AT_ONCE }, closeSome))
    if (ends.every(Boolean)) await deps.keepHouse()
  }
}

async function* findGaps(deps: ActivityDependencies): AsyncGenerator<Gap> {
  const { open, batches } = deps.store
  const running = await runningWorkflows(deps)
  for (const id of running.old) yield { id, close: () => endOld(deps, id) }
  for (const own of [{ kind: { $in: OWN_WORKFLOW } }, { detached: true }] as const) {
    for await (const { _id: id, created_at } of open.find({ ...own, ...RUNNING })) {
      if (isOfThisMoment(created_at)) continue
      if (running.own.has(id) && !isSampled(running)) continue
      yield { id, close: () => closeRunning(deps, id) }
    }
  }
  const oldest = { created_at: 1 } as const
  for await (const task of open.find({ stopping: true }).sort(oldest)) {
    if (isOfThisMoment(task.created_at)) continue
    yield { id: task._id, close: () => closeCanceled(deps, task) }
  }
  for await (const batch of batches.find({ completed_at: null }).sort(oldest)) {
    if (isOfThisMoment(batch.created_at)) continue
    if (running.own.has(batch._id) && batch.status !== 'canceled' && !isSampled(running)) continue
    yield { id: batch._id, close: () => closeBatch(deps, batch) }
  }
}

/** A time in the future is not recent: a clock was ahead, or was set back later. */
function isOfThisMoment(at: Date): boolean {
  return Math.abs(Date.now() - at.getTime()) < GRACE_MS
}

function isSampled({ own }: RunningWorkflows): boolean {
  return Math.random() * own.size <= SAMPLED_EACH_PASS
}

/** One unrepairable record must not block the others. */
async function guarded({ log }: ActivityDependencies, { id, close }: Gap): Promise<void> {
  try {
    await close()
  } catch (error) {
    log.warn({ id, error: messageOf(error) }, 'cannot reconcile; the next pass tries again')
  }
}

/** An execution of an earlier version continues from its records in a new workflow. */
async function endOld({ temporal }: ActivityDependencies, id: string): Promise<void> {
  await temporal.workflow.getHandle(id).terminate('It belongs to a version before this one.')
}

async function closeRunning(deps: ActivityDependencies, id: string): Promise<void> {
  const [state, problem] = await examine(deps, id)
  // Read after the workflow's state, so that an execution that ended in between is left alone.
  const execution = await openExecution(deps, id)
  if (execution?.status !== 'running') return
  const { restarts } = execution
  switch (reconcileAction({ workflow: state?.status, problem, restarts }, new Date())) {
    case 'start':
      deps.log.info({ job_id: id }, 'starting a missing workflow')
      return startPrompt(deps, execution)
    case 'restart':
      deps.log.warn({ job_id: id, restarts, problem }, 'workflow cannot continue; restarting it from its records')
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
    'workflow cannot continue with this version of its code; waiting for another version',
  )
}

function endedSentence(state: WorkflowState | undefined): string {
  const status = (state?.status ?? 'gone').toLowerCase().replaceAll('_', ' ')
  return `The workflow was ended outside the service: ${status}.`
}

async function closeCanceled(deps: ActivityDependencies, { _id, kind, detached }: OpenDocument): Promise<void> {
  const execution = await openExecution(deps, _id)
  if (execution === undefined) return
  // A task's range brings it to rest, unless the range was lost with the batch's workflow.
  if (kind === 'task' && detached !== true) return isHeld(deps, execution) ? undefined : recordStop(deps, execution)
  const [state, problem] = await examine(deps, execution._id)
  if (state?.status === 'RUNNING') {
    if (problem === undefined && (await poolIsAlive(deps, execution))) return cancelWorkflow(deps, execution._id)
    const reason = 'Canceled, and it cannot wind down: no worker of its pool is alive, or it cannot go on.'
    await terminateWorkflow(deps, execution._id, reason)
  }
  await recordStop(deps, execution)
}

/** An execution that is not at rest. An earlier version's process may have brought it to rest without marking it. */
async function openExecution({ store }: ActivityDependencies, id: string): Promise<ExecutionDocument | undefined> {
  const execution = await store.byId.execution(id)
  if (execution?.completed_at === null) return execution
  await store.open.deleteOne({ _id: id })
  return undefined
}

async function poolIsAlive({ store }: ActivityDependencies, { agents }: ExecutionDocument): Promise<boolean> {
  const filter = { name: { $in: agents.map(({ name }) => name) } }
  const rows = await store.agents.find(filter, { projection: { last_seen: 1 } }).toArray()
  const now = new Date()
  return rows.some((row) => isAlive(row, now))
}

async function closeBatch(deps: ActivityDependencies, { _id: id }: BatchDocument): Promise<void> {
  const [state, problem] = await examine(deps, id)
  // Read again, because tasks may have been added or the batch may have come to rest since the list was read.
  const batch = await deps.store.batches.findOne({ _id: id, completed_at: null })
  if (batch === null) return
  const { restarts } = batch
  if (batch.status === 'canceled') return closeCanceledBatch(deps, id, state, problem)
  const { added_at: addedAt = batch.created_at } = batch
  if (state?.status !== 'RUNNING' && isOfThisMoment(addedAt)) return
  // A workflow that ended before tasks were added says nothing about them.
  const isOlder = state?.closedAt !== undefined && state.closedAt < addedAt
  const workflow = isOlder ? undefined : state?.status
  switch (reconcileAction({ workflow, problem, restarts }, new Date())) {
    case 'start':
      if (!(await hasTasksToRun(deps, id))) return
      deps.log.info({ batch_id: id }, 'waking a batch that has open tasks')
      return wakeBatch(deps, batch)
    case 'restart':
      deps.log.warn({ batch_id: id, restarts, problem }, 'batch cannot continue; restarting it from its records')
      await deps.store.batches.updateOne({ _id: id }, restarted())
      return restartBatch(deps, batch)
    case 'report':
      return reportStuck(deps, { batch_id: id }, problem)
    case 'record_stop':
    case 'fail': {
      const failure = { code: 'workflow_ended', message: endedSentence(state) }
      return recordRangeFailure(deps, { batch: id, from: 0, to: batch.task_count }, failure)
    }
    case 'nothing':
  }
}

async function hasTasksToRun({ store }: ActivityDependencies, batch_id: string): Promise<boolean> {
  return (await store.open.findOne({ batch_id, ...OF_RANGE })) !== null
}

async function closeCanceledBatch(
  deps: ActivityDependencies,
  id: string,
  state: WorkflowState | undefined,
  problem: Problem | undefined,
): Promise<void> {
  await cancelTasks(deps, id)
  if (state?.status !== 'RUNNING') return recordBatchStopped(deps, id)
  const isMeant = () => isCanceledBatch(deps.store, id)
  if (problem !== undefined) return terminateWorkflow(deps, id, `It cannot go on: ${problem.sentence}.`, isMeant)
  await cancelWorkflow(deps, id, isMeant)
}
