import { addAbortListener } from 'node:events'
import type { ClientSession } from 'mongodb'
import { TroupeError } from '../core/errors.ts'
import type { BatchDocument } from '../store/documents.ts'
import type { AddedTasks, Dependencies } from './dependencies.ts'
import { newestAfter, pageOf, stillRunning, type Page } from './executions.ts'

/** @throws TroupeError not_found */
export async function findBatch({ store }: Dependencies, id: string, session?: ClientSession): Promise<BatchDocument> {
  const batch = await store.batches.findOne({ _id: id }, session === undefined ? {} : { session })
  if (batch === null) throw new TroupeError('not_found', `There is no batch "${id.slice(0, 100)}".`)
  return batch
}

/** A session whose reads all see the same moment; it ends when the answer was sent. */
export function snapshotSession({ store }: Dependencies, released: AbortSignal): ClientSession {
  const session = store.client.startSession({ snapshot: true })
  addAbortListener(released, () => void session.endSession().catch(() => {}))
  return session
}

/** A page of batches, newest first. */
export async function listBatches(
  { store }: Dependencies,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page<BatchDocument>> {
  const found = store.batches.find(newestAfter('batches', cursor, {})).sort({ created_at: -1, _id: -1 })
  return pageOf('batches', await found.limit(limit + 1).toArray(), limit)
}

/**
 * Waits until each of these tasks has ended.
 * @returns the batch as it is then
 * @throws TroupeError unavailable when the client has gone or the process shuts down first; the tasks go on
 */
export async function awaitTasks(
  deps: Dependencies,
  { batch_id, ids }: AddedTasks,
  released: AbortSignal,
): Promise<BatchDocument> {
  const ended = await deps.runs.waitForTasks(batch_id, ids, AbortSignal.any([released, deps.closing]))
  if (!ended) throw stillRunning(`GET /api/batches/${batch_id} has the results later.`)
  return findBatch(deps, batch_id)
}
