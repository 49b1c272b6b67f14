import type { Filter } from 'mongodb'
import { TroupeError } from '../../core/errors.ts'
import { decodeCursor, pageOf, type CursorKey, type Page, type PageRequest } from '../http/cursor.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { endingWith, readPage } from './page-of-list.ts'
import { summaryFields, type ExecutionSummary } from '../views/execution.ts'
import { noExecution } from '../../store/not-found.ts'

const PROMPTS = 'prompt'

/**
 * Reads an execution.
 * @throws TroupeError not_found
 */
export async function findExecution({ byId }: Store, id: string): Promise<ExecutionDocument> {
  const execution = await byId.execution(id)
  if (execution === null) throw noExecution(id)
  return execution
}

/**
 * Waits for the end of an execution.
 * @throws TroupeError unavailable when the client disconnects or the process shuts down first; the run continues
 */
export async function awaitEnd(
  deps: Dependencies,
  id: string,
  responseClosed: AbortSignal,
): Promise<ExecutionDocument> {
  const ended = await deps.runs.waitForEnd(id, AbortSignal.any([responseClosed, deps.waitsEnd]))
  if (ended === undefined) throw stillRunning(`GET /api/jobs/${id} returns its result later.`)
  return ended
}

/** Error for a client that waits for work when the process shuts down. */
export function stillRunning(hint: string): TroupeError {
  return new TroupeError('unavailable', `The service is restarting; the work continues. ${hint}`)
}

/** A page of prompts, newest first. */
export async function readPrompts({ executions }: Store, page: PageRequest): Promise<Page<ExecutionSummary>> {
  const { limit, cursor } = page
  const found = executions
    .find<ExecutionSummary>(newestAfter(PROMPTS, cursor, { kind: 'prompt' }), {
      projection: summaryFields,
      ...endingWith(page),
    })
    .sort({ created_at: -1, _id: -1 })
  return pageOf(PROMPTS, await readPage(found, page), limit, datedKey)
}

type Dated = { _id: string; created_at: Date }

/**
 * Filter for the items after a cursor in the order of created_at and id, newest first. Each branch can use an index,
 * however many items share one timestamp.
 */
export function newestAfter<Document extends Dated>(
  list: string,
  cursor: string | undefined,
  equal: Filter<Document>,
): Filter<Document> {
  if (cursor === undefined) return equal
  const [milliseconds, id] = decodeCursor(list, cursor, ['number', 'string'])
  const created_at = new Date(Number(milliseconds))
  const branches = [
    { ...equal, created_at, _id: { $lt: id } },
    { ...equal, created_at: { $lt: created_at } },
  ]
  return { $or: branches } as Filter<Document>
}

/** The sort key of an item in that order. */
export function datedKey({ created_at, _id }: Dated): CursorKey {
  return [created_at.getTime(), _id]
}
