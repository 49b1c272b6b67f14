import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument } from './documents.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import { RUNNING } from './open.ts'

const AT_ONCE = 500

/** What the cancel of an execution needs to know of it, and whether it has begun. */
type Cancelable = Pick<ExecutionDocument, '_id' | 'batch_id' | 'prompt_name'> & { started: boolean }

interface CancelDependencies {
  store: Store
  ledger: Ledger
}

/** Cancels executions that have not ended; those that run are stopped by their workers. */
export async function cancelExecutions({ store, ledger }: CancelDependencies, executions: Cancelable[]): Promise<void> {
  const starts = await rootStarts(store, executions)
  const entries = executions.map((execution) => cancelEntry(execution, starts.get(execution._id) ?? null))
  await Promise.all(entries.map((entry) => ledger.append(entry)))
}

/** Whether a batch is there and canceled. One that was, and was deleted since, may have left its id to another. */
export async function isCanceledBatch({ batches }: Pick<Store, 'batches'>, id: string): Promise<boolean> {
  return (await batches.findOne({ _id: id, status: 'canceled' }, { projection: { _id: 1 } })) !== null
}

/** Cancels every task of a canceled batch that has not ended. */
export async function cancelTasks(deps: CancelDependencies, batchId: string): Promise<void> {
  const found = deps.store.open.find({ batch_id: batchId, ...RUNNING }).batchSize(AT_ONCE)
  for await (const first of found) {
    const tasks = [first, ...found.readBufferedDocuments()]
    // Asked when they are known: those of a later batch of the same id are not meant.
    if (!(await isCanceledBatch(deps.store, batchId))) return
    await cancelExecutions(
      deps,
      tasks.map((task) => ({ ...task, started: task.started === true })),
    )
  }
}

/** What is written when somebody cancels an execution; `rootStart` is the id of its latest root task_start. */
function cancelEntry({ _id: jobId, batch_id: batchId, prompt_name: agent }: Cancelable, rootStart: number | null) {
  const at = new Date()
  const requested = { type: 'task_cancel_requested', agent, parent: rootStart, payload: '{"by":"user"}', at } as const
  const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
  return { jobId, batchId, path: 'end', events: [requested], finish, completedAtIfNotStarted: at } satisfies LedgerEntry
}

/** Ids of the latest root task_start of executions that started. */
async function rootStarts(store: Store, executions: Cancelable[]): Promise<Map<string, number>> {
  const started = executions.filter((execution) => execution.started).map(({ _id }) => _id)
  if (started.length === 0) return new Map()
  const filter = { job_id: { $in: started }, event_type: 'task_start' as const, parent_id: null }
  const starts = await store.traces
    .find(filter, { projection: { job_id: 1 } })
    .sort({ _id: 1 })
    .toArray()
  return new Map(starts.map(({ _id, job_id }) => [job_id, _id]))
}
