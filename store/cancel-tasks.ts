import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument } from './documents.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import { RUNNING } from './open.ts'

const AT_ONCE = 500

/** The fields of an execution that its cancel needs, and whether it has begun. */
type Cancelable = Pick<ExecutionDocument, '_id' | 'batch_id' | 'prompt_name'> & { started: boolean }

interface CancelDependencies {
  store: Store
  ledger: Ledger
}

/** Cancels executions that have not ended. Workers stop the running ones. */
export async function cancelExecutions({ store, ledger }: CancelDependencies, executions: Cancelable[]): Promise<void> {
  const starts = await rootStarts(store, executions)
  const entries = executions.map((execution) => cancelEntry(execution, starts.get(execution._id) ?? null))
  await Promise.all(entries.map((entry) => ledger.append(entry)))
}

/** Whether a batch exists and is canceled. A canceled batch may have been deleted since, and its id reused. */
export async function isCanceledBatch({ batches }: Pick<Store, 'batches'>, id: string): Promise<boolean> {
  return (await batches.findOne({ _id: id, status: 'canceled' }, { projection: { _id: 1 } })) !== null
}

/** Cancels every open task of a canceled batch. */
export async function cancelTasks(deps: CancelDependencies, batchId: string): Promise<void> {
  const found = deps.store.open.find({ batch_id: batchId, ...RUNNING }).batchSize(AT_ONCE)
  for await (const first of found) {
    const tasks = [first, ...found.readBufferedDocuments()]
    // Checked after the tasks are known, because they might belong to a later batch with the same id.
    if (!(await isCanceledBatch(deps.store, batchId))) return
    await cancelExecutions(
      deps,
      tasks.map((task) => ({ ...task, started: task.started === true })),
    )
  }
}

/** The ledger entry of a cancel; `rootStart` is the id of the execution's latest root task_start. */
function cancelEntry({ _id: jobId, batch_id: batchId, prompt_name: agent }: Cancelable, rootStart: number | null) {
  const at = new Date()
  const requested = { type: 'task_cancel_requested', agent, parent: rootStart, payload: '{"by":"user"}', at } as const
  const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
  return { jobId, batchId, path: 'end', events: [requested], finish, completedAtIfNotStarted: at } satisfies LedgerEntry
}

/** Ids of the latest root task_start of started executions. */
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
