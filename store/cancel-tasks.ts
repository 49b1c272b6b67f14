import type { Store } from './connect.ts'
import type { ExecutionDocument } from './documents.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerEntry } from './ledger-entry.ts'

const AT_ONCE = 500

/** What the cancel of an execution needs to know of it. */
export type Cancelable = Pick<ExecutionDocument, '_id' | 'batch_id' | 'prompt_name' | 'started_at'>

/** What is written when somebody cancels an execution; `rootStart` is the id of its latest root task_start. */
export function cancelEntries(execution: Cancelable, rootStart: number | null): LedgerEntry[] {
  const { _id: jobId, batch_id: batchId, prompt_name: agent } = execution
  const at = new Date()
  const requested = { type: 'task_cancel_requested', agent, parent: rootStart, payload: '{"by":"user"}', at } as const
  const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
  return [{ jobId, batchId, path: 'end', events: [requested], finish, completedAtIfNotStarted: at }]
}

/** Cancels every task of a batch that has not ended; the tasks that run are stopped by their workers. */
export async function cancelTasks({ store, ledger }: { store: Store; ledger: Ledger }, batchId: string): Promise<void> {
  const projection = { batch_id: 1, batch_index: 1, prompt_name: 1, started_at: 1 }
  for (let after = -1; ;) {
    const filter = { batch_id: batchId, batch_index: { $gt: after }, status: 'running' as const }
    const tasks = await store.executions.find(filter, { projection }).sort({ batch_index: 1 }).limit(AT_ONCE).toArray()
    if (tasks.length === 0) return
    after = tasks.at(-1)?.batch_index ?? after
    const starts = await rootStarts(store, tasks)
    const entries = tasks.flatMap((task) => cancelEntries(task, starts.get(task._id) ?? null))
    await Promise.all(entries.map((entry) => ledger.append(entry)))
  }
}

/** Ids of the latest root task_start of executions that started. */
export async function rootStarts(store: Store, executions: Cancelable[]): Promise<Map<string, number>> {
  const started = executions.filter((execution) => execution.started_at !== undefined).map(({ _id }) => _id)
  if (started.length === 0) return new Map()
  const filter = { job_id: { $in: started }, event_type: 'task_start' as const, parent_id: null }
  const starts = await store.traces
    .find(filter, { projection: { job_id: 1 } })
    .sort({ _id: 1 })
    .toArray()
  return new Map(starts.map(({ _id, job_id }) => [job_id, _id]))
}
