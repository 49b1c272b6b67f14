import type { Store } from './connect.ts'
import type { ExecutionDocument } from './documents.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerEntry } from './ledger-entry.ts'

const AT_ONCE = 500

/** What the cancel of an execution needs to know of it. */
type Cancelable = Pick<ExecutionDocument, '_id' | 'batch_id' | 'prompt_name' | 'started_at'>

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

/** Cancels every task of a batch that has not ended. */
export async function cancelTasks(deps: CancelDependencies, batchId: string): Promise<void> {
  const { executions } = deps.store
  const projection = { batch_id: 1, batch_index: 1, prompt_name: 1, started_at: 1 }
  for (let after = -1; ;) {
    const filter = { batch_id: batchId, batch_index: { $gt: after }, status: 'running' as const }
    const tasks = await executions.find(filter, { projection }).sort({ batch_index: 1 }).limit(AT_ONCE).toArray()
    if (tasks.length === 0) return
    after = tasks.at(-1)?.batch_index ?? after
    await cancelExecutions(deps, tasks)
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
  const started = executions.filter((execution) => execution.started_at !== undefined).map(({ _id }) => _id)
  if (started.length === 0) return new Map()
  const filter = { job_id: { $in: started }, event_type: 'task_start' as const, parent_id: null }
  const starts = await store.traces
    .find(filter, { projection: { job_id: 1 } })
    .sort({ _id: 1 })
    .toArray()
  return new Map(starts.map(({ _id, job_id }) => [job_id, _id]))
}
