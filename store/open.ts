import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument, OpenDocument } from './documents.ts'

/** Tasks of a batch that a range must run. A task that waits for long continues under its own workflow. */
export const OF_RANGE = { detached: { $exists: false } } as const

/** Open executions that are not canceled. */
export const RUNNING = { stopping: { $exists: false } } as const

/** Batches whose tasks have all ended and been counted. */
export const ALL_COUNTED = { $expr: { $eq: [{ $add: ['$succeeded', '$failed'] }, '$task_count'] } }

/** Marks an execution as open. It is stored when the execution is created, and deleted when it comes to rest. */
export function openDocument({
  _id,
  kind,
  prompt_name,
  created_at,
  batch_id,
  batch_index,
}: ExecutionDocument): OpenDocument {
  return { _id, kind, prompt_name, created_at, batch_id, batch_index }
}

/** Whether an open execution has its own workflow. A task of a batch uses the batch's workflow until it is detached. */
export async function hasWorkflow(
  { open }: Pick<Store, 'open'>,
  { _id, kind }: Pick<ExecutionDocument, '_id' | 'kind'>,
) {
  return kind !== 'task' || (await open.findOne({ _id, detached: true })) !== null
}
