import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument } from './documents.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import { RUNNING } from './open.ts'

const AT_ONCE = 500

/** The fields of an execution that its cancel needs. */
type Cancelable = Pick<ExecutionDocument, '_id' | 'batch_id' | 'prompt_name'>

interface CancelDependencies {
  store: Store
  ledger: Ledger
}

/** Cancels executions that have not ended. Workers stop the running ones. */
export async function cancelExecutions(
  { ledger }: Pick<CancelDependencies, 'ledger'>,
  executions: Cancelable[],
): Promise<void> {
  await Promise.all(executions.map((execution) => ledger.append(cancelEntry(execution))))
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
    await cancelExecutions(deps, tasks)
  }
}

function cancelEntry({ _id: jobId, batch_id: batchId, prompt_name: agent }: Cancelable) {
  const at = new Date()
  const requested = { type: 'task_cancel_requested', agent, parent: 'root', payload: '{"by":"user"}', at } as const
  const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 0, at } as const
  return { jobId, batchId, path: 'end', events: [requested], finish, completedAtIfNotStarted: at } satisfies LedgerEntry
}
