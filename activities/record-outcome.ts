import { cancelTasks } from '../store/cancel-tasks.ts'
import type { ExecutionDocument, ModelUsage } from '../store/documents.ts'
import { stepKey, type EventDraft, type LedgerEntry } from '../store/ledger-entry.ts'
import type { AgentRun, RunStatus } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { event } from './events.ts'
import { recordFailed } from './run-end.ts'

/** What a workflow says of a failure that its activities could not record themselves. */
export interface OutsideFailure {
  code: string
  message: string
}

/** The activity that records the failure of an agent whose activity did not live to do so (a timeout, a bug). */
export function createRecordFailure(deps: ActivityDependencies) {
  return async function recordFailure(run: AgentRun, { code, message }: OutsideFailure): Promise<RunStatus> {
    const execution = await deps.store.byId.execution(run.job)
    if (execution === null) return 'canceled'
    const { start, startedAt, steps, tokens } = await deps.transcripts.read(run)
    const summary = { start: { id: start ?? null }, startedAt: startedAt ?? execution.created_at, steps, tokens }
    return recordFailed(deps, run, execution, Object.assign(new Error(message), { code }), summary)
  }
}

/**
 * The activity that records that the run of a canceled execution has really stopped. An execution that only the engine
 * canceled becomes canceled here.
 */
export function createRecordStopped(deps: ActivityDependencies) {
  return async function recordStopped(jobId: string): Promise<void> {
    const execution = await deps.store.byId.execution(jobId)
    if (execution === null || execution.completed_at !== null) return
    await Promise.all((await stoppedEntries(deps, execution)).map((entry) => deps.ledger.append(entry)))
  }
}

/** What is written when a canceled execution has come to rest. */
export async function stoppedEntries(
  { store }: Pick<ActivityDependencies, 'store'>,
  execution: ExecutionDocument,
): Promise<LedgerEntry[]> {
  const { _id: jobId, batch_id: batchId } = execution
  const at = new Date()
  const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
  const events = (await openAgents(store, execution)).map((open) => closingEvent(execution, open, 'canceled', null))
  return [
    { jobId, batchId, path: 'end', events: [], finish },
    { jobId, batchId, path: 'stopped', events, stoppedAt: at },
  ]
}

/** What a user sent or got can be large, and is not needed to end an execution. */
export const WITHOUT_CONTENT = { inputs: 0, outputs: 0 } as const

/** An agent of a chain that started and has not ended. */
interface OpenAgent {
  name: string
  /** Id of its task_start; null when events are not kept. */
  start: number | null
  startedAt: Date
}

async function openAgents(
  store: ActivityDependencies['store'],
  { _id: jobId, agents }: ExecutionDocument,
): Promise<OpenAgent[]> {
  const paths = agents.flatMap((_, index) => [`${index}.start`, String(index)])
  const steps = await store.steps.find({ _id: { $in: paths.map((path) => stepKey(jobId, path)) } }).toArray()
  const byKey = new Map(steps.map((step) => [step._id, step]))
  return agents.flatMap(({ name }, index) => {
    const start = byKey.get(stepKey(jobId, `${index}.start`))
    if (start === undefined || byKey.has(stepKey(jobId, String(index)))) return []
    return [{ name, start: start.trace_id ?? null, startedAt: start.at }]
  })
}

function closingEvent(
  { usage }: ExecutionDocument,
  { name, start, startedAt }: OpenAgent,
  status: RunStatus,
  result: unknown,
): EventDraft {
  const models = Object.values(usage)
  const sum = (count: (model: ModelUsage) => number): number => models.reduce((total, model) => total + count(model), 0)
  return event('task_complete', name, start, {
    status,
    result,
    duration_ms: Date.now() - startedAt.getTime(),
    steps: sum(({ calls }) => calls),
    token_usage: {
      prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
      completion_tokens: sum(({ completion_tokens }) => completion_tokens),
      total_tokens: sum(({ total_tokens }) => total_tokens),
    },
  })
}

/**
 * The activity that records that a canceled batch has come to rest. A batch that only the engine canceled becomes canceled
 * here, with its tasks.
 */
export function createRecordBatchStopped(deps: ActivityDependencies) {
  return async function recordBatchStopped(batch: string): Promise<void> {
    const open = { _id: batch, status: { $in: ['submitted' as const, 'running' as const] } }
    await deps.store.batches.updateOne(open, { $set: { status: 'canceled' } })
    await cancelTasks(deps, batch)
    const left = { batch_id: batch, completed_at: null }
    for await (const task of deps.store.executions.find(left, { projection: WITHOUT_CONTENT })) {
      await Promise.all((await stoppedEntries(deps, task)).map((entry) => deps.ledger.append(entry)))
    }
    const stopped = { _id: batch, status: 'canceled' as const, completed_at: null }
    await deps.store.batches.updateOne(stopped, { $set: { completed_at: new Date() } })
  }
}

/** Tasks that are failed in one go when their shard ended outside. */
const FAILED_AT_ONCE = 500

/** The activity that fails what is left of a shard (or of a whole batch) whose workflow ended outside. */
export function createRecordShardFailure(deps: ActivityDependencies) {
  return async function recordShardFailure({ batch, from, to }: TaskRange, failure: OutsideFailure): Promise<void> {
    for (let next = from; ;) {
      const filter = { batch_id: batch, batch_index: { $gte: next, $lt: to }, status: 'running' as const }
      const found = deps.store.executions.find(filter, { projection: WITHOUT_CONTENT }).sort({ batch_index: 1 })
      const tasks = await found.limit(FAILED_AT_ONCE).toArray()
      const last = tasks.at(-1)?.batch_index
      if (last === undefined) return
      await Promise.all(tasks.map((task) => failOutside(deps, task, failure)))
      next = last + 1
    }
  }
}

/** Tasks of a batch: `from` <= batch_index < `to`. */
export interface TaskRange {
  batch: string
  from: number
  to: number
}

/** Ends an execution as failed whose workflow ended without doing so. */
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
  await ledger.append({ jobId, batchId, path: 'end', events, finish })
}
