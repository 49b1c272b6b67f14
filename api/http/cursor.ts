import { TroupeError } from '../../core/errors.ts'

/** The largest value of a JavaScript Date in milliseconds. */
const MAX_NUMBER = 8_640_000_000_000_000

/** The sort key of the last item of a page. */
export type CursorKey = (string | number)[]

/** Encodes a position in a list as an opaque, URL-safe string. */
export function encodeCursor(list: string, key: CursorKey): string {
  return Buffer.from(JSON.stringify([list, ...key]), 'utf8').toString('base64url')
}

/**
 * Decodes the position of a cursor.
 * @param list - the list that the cursor must belong to.
 * @param shape - the types of the parts of the key, in order.
 * @throws TroupeError bad_request for a cursor that is not from this list
 */
export function decodeCursor(list: string, cursor: string, shape: ('string' | 'number')[]): CursorKey {
  const [from, ...key] = parse(cursor)
  const fits = key.length === shape.length && shape.every((type, index) => isOf(type, key[index]))
  if (from !== list || !fits || encodeCursor(list, key as CursorKey) !== cursor) {
    throw new TroupeError('bad_request', 'cursor must be a next_cursor of this list.')
  }
  return key as CursorKey
}

/** Decodes the position in a list that is sorted by one number. @throws TroupeError bad_request for a cursor that is not from this list */
export function decodeNumber(list: string, cursor: string): number {
  return Number(decodeCursor(list, cursor, ['number'])[0])
}

/** Checks the type of a part. Numbers in cursors are ids and milliseconds. */
function isOf(type: 'string' | 'number', part: unknown): boolean {
  return type === 'string'
    ? typeof part === 'string'
    : Number.isSafeInteger(part) && Math.abs(Number(part)) <= MAX_NUMBER
}

/** The requested page of a list. */
export interface PageRequest {
  limit: number
  cursor?: string | undefined
  offset: number | undefined
  /** Fires when the client has disconnected. */
  signal?: AbortSignal
}

/** A page of a list; `next_cursor` is null on the last page. */
export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

/**
 * Builds a page of the first `limit` items, with a cursor when there are more.
 * @param found - up to `limit` + 1 items.
 * @param keyOf - returns the sort key of an item.
 */
export function pageOf<Item>(list: string, found: Item[], limit: number, keyOf: (item: Item) => CursorKey): Page<Item> {
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, next_cursor: last === undefined ? null : encodeCursor(list, keyOf(last)) }
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
