import type { FindCursor } from 'mongodb'
import pLimit from 'p-limit'
import { TroupeError } from '../../core/errors.ts'
import type { PageRequest } from '../http/cursor.ts'
import type { Turn } from '../http/in-portions.ts'

/** Time limit of a list query in MongoDB. The client gets an error after 15 s, so a longer query would be wasted. */
export const LIST_TIME_MS = 10_000
/** Limits concurrent reads with a large offset: MongoDB walks through skipped entries, a million in about a third of a second. */
const FAR_OFFSET = 10_000
const FAR_AT_ONCE = 2
const FAR_WAITING = 8

const inTurn = pLimit(FAR_AT_ONCE)

/** Reads the requested page and one more item, if there is one. @param found - the whole list in its order. */
export function readPage<Document>(found: FindCursor<Document>, page: PageRequest): Promise<Document[]> {
  return turnOf(page)(() => restrictTo(found, page).toArray())
}

/**
 * Options of a query for a page. A query with a large offset is aborted when its client disconnects. This costs a database
 * connection, so it does not pay for small offsets.
 */
export function endingWith({ offset = 0, signal }: PageRequest): { signal?: AbortSignal } {
  return offset > FAR_OFFSET && signal !== undefined ? { signal } : {}
}

/** Limits a query to one page plus one item, and its time. */
export function restrictTo<Document>(
  found: FindCursor<Document>,
  { offset = 0, limit }: PageRequest,
): FindCursor<Document> {
  return found
    .skip(offset)
    .limit(limit + 1)
    .maxTimeMS(LIST_TIME_MS)
}

/**
 * The concurrency limit for reading a page: none for a small offset, a low one for a large offset.
 * @throws TroupeError unavailable, when the turn is used while too many wait; the reason of the signal if it has fired
 */
export function turnOf({ offset = 0, signal }: PageRequest): Turn {
  return async (work) => {
    if (offset <= FAR_OFFSET) return work()
    if (inTurn.pendingCount >= FAR_WAITING) {
      const sentence =
        'Too many pages with a large offset are being read; try again, or page through the list with cursor.'
      throw new TroupeError('unavailable', sentence)
    }
    return inTurn(() => {
      signal?.throwIfAborted()
      return work()
    })
  }
}
