import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRun, EndStatus, TaskRange } from '../core/execution.ts'
import { stepKey } from '../core/step-path.ts'
import { restOf } from '../store/spending/budgets.ts'
import { cancelTasks } from '../store/cancel-tasks.ts'
import type { ExecutionDocument } from '../store/documents.ts'
import type { EventDraft, TraceReference } from '../store/ledger/entry.ts'
import { cancelWorkflow } from '../workflows/client.ts'
import type { OutsideFailure } from '../workflows/failures.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { event, taskComplete } from './events.ts'
import { recordOutsideFailure, usedOf } from './records/outside-failure.ts'
import { ALL_COUNTED, OF_RANGE } from '../store/open.ts'

/** The time that a canceled run has to be released by its holder. */
const LAST_WORDS_MS = 5_000
const LOOK_MS = 100

/** The activity that records the failure of an agent whose activity could not do so, because of a timeout or a bug. */
export function recordFailure(
  deps: ActivityDependencies,
  run: AgentRun,
  { code, message }: OutsideFailure,
): Promise<EndStatus> {
  return recordOutsideFailure(deps, run, Object.assign(new Error(message), { code }))
}

/**
 * The activity that records that a canceled execution is at rest. An execution that was canceled only in Temporal
 * becomes canceled here.
 */
export async function recordStopped(deps: ActivityDependencies, jobId: string): Promise<void> {
  await recordReleased(deps, await deps.store.byId.execution(jobId), Date.now() + LAST_WORDS_MS)
}

/**
 * Records that a canceled execution is at rest once no worker holds it. A leg without an activity observes the cancel
 * itself, and records its usage before it releases the run.
 * @param deadline - the end of the wait, in ms since the epoch.
 */
async function recordReleased(
  deps: ActivityDependencies,
  found: ExecutionDocument | null,
  deadline: number,
): Promise<void> {
  for (let execution = found; execution?.completed_at === null;) {
    if (!isHeld(deps, execution) || Date.now() > deadline) return recordStop(deps, execution)
    await sleep(LOOK_MS)
    execution = await deps.store.byId.execution(execution._id)
  }
}

/** Whether a worker that may be alive holds a run of an execution. */
export function isHeld({ workers }: ActivityDependencies, { takes = {} }: ExecutionDocument): boolean {
  return Object.values(takes).some(({ worker }) => worker !== null && workers.isAlive(worker))
}

/** Records that a canceled execution is at rest. */
export async function recordStop({ store, ledger }: ActivityDependencies, execution: ExecutionDocument): Promise<void> {
  const { _id: jobId, batch_id: batchId } = execution
  const at = new Date()
  if (execution.status === 'running') {
    const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
    await ledger.append({ jobId, batchId, path: 'end', events: [], finish })
    // Another writer may have been first.
    if ((await store.byId.status(jobId))?.status !== 'canceled') return
  }
  const open = await openAgents(store, execution)
  const events = open.map((agent) => closingEvent(execution, agent, 'canceled', null))
  await ledger.append({ jobId, batchId, path: 'stopped', events, stoppedAt: at, rest: restOf(execution) })
}

/** A started agent of a chain that has not ended. */
interface OpenAgent {
  name: string
  /** The agent's task_start. */
  start: TraceReference
  startedAt: Date
}

async function openAgents(
  store: ActivityDependencies['store'],
  { _id: jobId, agents, takes = {} }: ExecutionDocument,
): Promise<OpenAgent[]> {
  const begun = agents.flatMap(({ name }, index) => {
    const take = takes[String(index)]
    return take?.started_at === undefined
      ? []
      : [{ name, index, start: { id: take.start ?? null }, startedAt: take.started_at }]
  })
  const keys = begun.map(({ index }) => stepKey(jobId, String(index)))
  const ended = await store.steps.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray()
  const endedKeys = new Set(ended.map(({ _id }) => _id))
  return begun.filter((_, at) => !endedKeys.has(keys[at] ?? ''))
}

function closingEvent(execution: ExecutionDocument, agent: OpenAgent, status: EndStatus, result: unknown): EventDraft {
  return taskComplete(agent.name, status, result, { ...agent, ...usedOf(execution) })
}

/**
 * The activity that records that a canceled batch is at rest. A batch that was canceled only in Temporal becomes
 * canceled here, with its tasks.
 */
export async function recordBatchStopped(deps: ActivityDependencies, batch: string): Promise<void> {
  const { batches, open } = deps.store
  const unfinished = { _id: batch, status: { $in: ['submitted' as const, 'running' as const] } }
  await batches.updateOne(unfinished, { $set: { status: 'canceled' } })
  await cancelTasks(deps, batch)
  // One deadline for all, because every task observes the cancel at the same moment.
  const deadline = Date.now() + LAST_WORDS_MS
  for await (const { _id, detached } of open.find({ batch_id: batch })) {
    if (detached === true) await cancelWorkflow(deps, _id)
    await recordReleased(deps, await deps.store.byId.execution(_id), deadline)
  }
  const stopped = { _id: batch, status: 'canceled' as const, completed_at: null, ...ALL_COUNTED }
  await batches.updateOne(stopped, { $set: { completed_at: new Date() } })
}

/** Number of tasks that are read and failed at once after their range ended outside. */
const FAILED_AT_ONCE = 100

/** The activity that ends the open tasks of a range whose workflow or activity ended outside. */
export async function recordRangeFailure(
  deps: ActivityDependencies,
  { batch, from, to, agent }: Pick<TaskRange, 'batch' | 'from' | 'to'> & { agent?: string },
  outside: OutsideFailure,
): Promise<void> {
  for (let next = from; ;) {
    const range = { batch_id: batch, batch_index: { $gte: next, $lt: to }, ...OF_RANGE }
    const filter = agent === undefined ? range : { ...range, prompt_name: agent }
    const found = deps.store.open.find(filter).sort({ batch_index: 1 }).limit(FAILED_AT_ONCE)
    const left = await found.toArray()
    const last = left.at(-1)?.batch_index
    if (last === undefined) return
    const tasks = await Promise.all(left.map(({ _id }) => deps.store.byId.execution(_id)))
    await Promise.all(
      tasks
        .filter((task) => task !== null)
        .map((task) => (task.status === 'canceled' ? recordStop(deps, task) : failOutside(deps, task, outside))),
    )
    next = last + 1
  }
}

/** Fails an execution whose workflow ended without recording an end. */
export async function failOutside(
  { store, ledger }: Pick<ActivityDependencies, 'store' | 'ledger'>,
  execution: ExecutionDocument,
  { code, message }: OutsideFailure,
): Promise<void> {
  const { _id: jobId, batch_id: batchId, agents } = execution
  const open = await openAgents(store, execution)
  const { name = agents[0]?.name ?? '', start = null } = open.at(-1) ?? {}
  const events = [
    event('error', name, start, { error: message, stack: null, code, retryable: false }),
    ...open.map((agent) => closingEvent(execution, agent, 'failed', { error: message })),
  ]
  const outputs = { json: JSON.stringify({ error: message }) }
  const finish = { status: 'failed', outputs, error: message, latencyMs: 0, at: new Date() } as const
  await ledger.append({ jobId, batchId, path: 'end', events, finish, rest: restOf(execution) })
}
