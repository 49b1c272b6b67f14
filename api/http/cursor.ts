import { TroupeError } from '../../core/errors.ts'

/** Beyond it a number is no time. */
const MAX_NUMBER = 8_640_000_000_000_000

/** Where a page of a list ended: the sort key of its last item. */
export type CursorKey = (string | number)[]

/** A place in a list as an opaque text that is safe in a URL. */
export function encodeCursor(list: string, key: CursorKey): string {
  return Buffer.from(JSON.stringify([list, ...key]), 'utf8').toString('base64url')
}

/**
 * The place that a cursor names.
 * @param list - the list that it must come from.
 * @param shape - the types of the key's parts, in order.
 * @throws TroupeError bad_request for anything that this list did not give.
 */
export function decodeCursor(list: string, cursor: string, shape: ('string' | 'number')[]): CursorKey {
  const [from, ...key] = parse(cursor)
  const fits = key.length === shape.length && shape.every((type, index) => isOf(type, key[index]))
  if (from !== list || !fits || encodeCursor(list, key as CursorKey) !== cursor) {
    throw new TroupeError('bad_request', 'cursor is not one that this list gave.')
  }
  return key as CursorKey
}

/** The place in a list that is sorted by one number. @throws TroupeError bad_request for anything that this list did not give */
export function decodeNumber(list: string, cursor: string): number {
  return Number(decodeCursor(list, cursor, ['number'])[0])
}

/** The numbers of our cursors are ids and milliseconds. */
function isOf(type: 'string' | 'number', part: unknown): boolean {
  return type === 'string'
    ? typeof part === 'string'
    : Number.isSafeInteger(part) && Math.abs(Number(part)) <= MAX_NUMBER
}

/** Where in a list to begin, and how much of it to give. */
export interface PageRequest {
  limit: number
  cursor?: string | undefined
  offset: number | undefined
  /** Fires when nobody waits for it any more. */
  signal?: AbortSignal
}

/** A part of a list; `next_cursor` is null where it ends. */
export interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

/**
 * The first `limit` of what was found, and where to go on when there was more.
 * @param found - one more than `limit`, where the list has as many.
 * @param keyOf - the sort key of an item.
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
