import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument, OpenDocument } from './documents.ts'

/** A task of a batch that its range has to run: one that waits for something long goes on under a workflow of its own. */
export const OF_RANGE = { detached: { $exists: false } } as const

/** Of what is open, that which no cancel has reached. */
export const RUNNING = { stopping: { $exists: false } } as const

/** Of batches, those of which each task has ended: no task is left that is open and not known to be. */
export const ALL_COUNTED = { $expr: { $eq: [{ $add: ['$succeeded', '$failed'] }, '$task_count'] } }

/** What says of an execution that it is open; stored and taken away in the same moment as the execution begins and ends. */
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

/** Whether an open execution has a workflow of its own: a task of a batch belongs to the batch's until it is detached. */
export async function hasWorkflow(
  { open }: Pick<Store, 'open'>,
  { _id, kind }: Pick<ExecutionDocument, '_id' | 'kind'>,
) {
  return kind !== 'task' || (await open.findOne({ _id, detached: true })) !== null
}
