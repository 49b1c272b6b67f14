import type { ClientSession } from 'mongodb'
import type { BatchDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { datedKey, newestAfter, stillRunning } from './executions.ts'
import { endingWith, readPage } from './page-of-list.ts'
import { pageOf, type Page, type PageRequest } from '../http/cursor.ts'
import { noBatch } from '../../store/not-found.ts'

/**
 * Reads a batch.
 * @param session - reads in the snapshot of this session.
 * @throws TroupeError not_found
 */
export async function findBatch(
  { store }: Pick<Dependencies, 'store'>,
  id: string,
  session?: ClientSession,
): Promise<BatchDocument> {
  const batch = await store.batches.findOne({ _id: id }, session && { session, readConcern: { level: 'snapshot' } })
  if (batch === null) throw noBatch(id)
  return batch
}

/** A page of batches, newest first. */
export async function listBatches({ store }: Dependencies, page: PageRequest): Promise<Page<BatchDocument>> {
  const found = store.batches
    .find(newestAfter('batches', page.cursor, {}), endingWith(page))
    .sort({ created_at: -1, _id: -1 })
  return pageOf('batches', await readPage(found, page), page.limit, datedKey)
}

/**
 * Waits until all of these tasks have ended.
 * @returns the state of the batch at that time
 * @throws TroupeError unavailable when the client disconnects or the process shuts down first; the tasks continue
 */
export async function awaitTasks(
  deps: Dependencies,
  { batch_id, ids }: { batch_id: string; ids: string[] },
  responseClosed: AbortSignal,
): Promise<BatchDocument> {
  const ended = await deps.runs.waitForTasks(batch_id, ids, AbortSignal.any([responseClosed, deps.waitsEnd]))
  if (!ended) throw stillRunning(`GET /api/batches/${batch_id} returns the results later.`)
  return findBatch(deps, batch_id)
}
