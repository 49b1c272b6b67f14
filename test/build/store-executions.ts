import type { Store } from '../../store/mongodb/connect.ts'
import type { ExecutionDocument, OpenDocument, TraceDocument } from '../../store/documents.ts'
import { openDocument } from '../../store/open.ts'

/**
 * Stores executions as the service would have: what has not come to rest is open.
 * @param open - what else is said of those that are.
 */
export async function storeExecutions(
  store: Pick<Store, 'executions' | 'open'>,
  executions: ExecutionDocument[],
  open: Pick<OpenDocument, 'detached'> = {},
): Promise<void> {
  const documents = executions.map(({ status, ...execution }) => ({
    ...execution,
    status,
    ...(status === 'failed' || status === 'canceled' ? { trouble: status } : {}),
  }))
  await store.executions.insertMany(documents, { ordered: false })
  const left = executions.filter(({ completed_at }) => completed_at === null)
  if (left.length > 0) await store.open.insertMany(left.map((execution) => ({ ...stateOf(execution), ...open })))
}

function stateOf(execution: ExecutionDocument): OpenDocument {
  return {
    ...openDocument(execution),
    ...(execution.kind === 'task' && execution.started_at !== undefined ? { started: true } : {}),
    ...(execution.status === 'canceled' ? { stopping: true } : {}),
  }
}

/** Events as they are stored when those of each job were committed together. */
export function committedTogether(events: TraceDocument[]): TraceDocument[] {
  const last = new Map(events.map((event) => [event.job_id, event]))
  return events.map((event) => (last.get(event.job_id) === event ? { ...event, last: true } : event))
}
