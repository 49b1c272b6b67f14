import type { FindCursor } from 'mongodb'
import pLimit from 'p-limit'
import { TroupeError } from '../../core/errors.ts'
import type { PageRequest } from '../http/cursor.ts'
import type { Turn } from '../http/in-portions.ts'

/** What MongoDB may work on a list. A client is told after 15 s that no answer came: nothing goes on for it then. */
export const LIST_TIME_MS = 10_000
/** MongoDB goes through what it skips, a million entries in about a third of a second: cheap to ask for, and not to answer. */
const FAR_OFFSET = 10_000
const FAR_AT_ONCE = 2
const FAR_WAITING = 8

const inTurn = pLimit(FAR_AT_ONCE)

/** The page that a client asks for, and one item more, if there is one. @param found - the whole list in its order. */
export function readPage<Document>(found: FindCursor<Document>, page: PageRequest): Promise<Document[]> {
  return turnOf(page)(() => restrictTo(found, page).toArray())
}

/**
 * Options of a query for a page. One far behind ends with its client: MongoDB ends it when it loses the connection that it is read by, so that
 * others pay for that with a new one; what is near is read sooner.
 */
export function endingWith({ offset = 0, signal }: PageRequest): { signal?: AbortSignal } {
  return offset > FAR_OFFSET && signal !== undefined ? { signal } : {}
}

/** Bounds what a query gives to a page and one item more, and how long it takes. */
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
 * When a page may be read: at once, but for those far behind, of which a process reads few at a time.
 * @throws TroupeError unavailable, from the turn, while many wait for theirs; the signal's reason where it has fired by then
 */
export function turnOf({ offset = 0, signal }: PageRequest): Turn {
  return async (work) => {
    if (offset <= FAR_OFFSET) return work()
    if (inTurn.pendingCount >= FAR_WAITING) {
      const sentence = 'Many pages with a large offset are being read: try again, or go through the list with cursor.'
      throw new TroupeError('unavailable', sentence)
    }
    return inTurn(() => {
      signal?.throwIfAborted()
      return work()
    })
  }
}
