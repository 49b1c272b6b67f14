import type { TraceTable } from './trace-table.ts'

/** Siblings that follow each other and are of the same type and name. */
export interface Repeat {
  count: number
  /** How many of them failed, or something below them. */
  failed: number
  /** The latest end of them. */
  end: number
}

/** What repeats in a trace. */
export interface Repeats {
  /** By the first row of each. */
  byFirst: ReadonlyMap<number, Repeat>
  /** For each row the first row of the repeat that it belongs to; -1 for none. */
  firstOf: Int32Array
}

/** Fewer are read faster than they are unfolded. */
const AT_LEAST = 5

/** Whether anything repeats: much cheaper to know than what. */
export function hasRepeats({ type, name, next }: TraceTable): boolean {
  const before = new Uint8Array(type.length)
  // A sibling comes later than the one before it.
  return next.some((sibling, row) => {
    if (sibling === -1 || type[sibling] !== type[row] || name[sibling] !== name[row]) return false
    return (before[sibling] = (before[row] as number) + 1) === AT_LEAST - 1
  })
}

/** Finds what repeats among the children of each row. */
export function repeatsOf(table: TraceTable): Repeats {
  const byFirst = new Map<number, Repeat>()
  const firstOf = new Int32Array(table.size).fill(-1)
  find(table, table.firstRoot, byFirst, firstOf)
  for (const child of table.firstChild) if (child !== -1) find(table, child, byFirst, firstOf)
  return { byFirst, firstOf }
}

function find(table: TraceTable, firstSibling: number, byFirst: Map<number, Repeat>, firstOf: Int32Array): void {
  const { type, name, next, end, failures } = table
  for (let first = firstSibling; first !== -1;) {
    const repeat: Repeat = { count: 0, failed: 0, end: 0 }
    let row = first
    for (; row !== -1 && type[row] === type[first] && name[row] === name[first]; row = next[row] as number) {
      repeat.count += 1
      repeat.failed += failures[row] === 0 ? 0 : 1
      repeat.end = Math.max(repeat.end, end[row] as number)
    }
    if (repeat.count >= AT_LEAST) {
      byFirst.set(first, repeat)
      for (let member = first; member !== row; member = next[member] as number) firstOf[member] = first
    }
    first = row
  }
}

/**
 * How long one of a repeat took at most, of 95 in a hundred.
 * @returns milliseconds; undefined when none of them has a length
 */
export function p95Of({ duration, next }: TraceTable, first: number, count: number): number | undefined {
  const all: number[] = []
  for (let row = first, left = count; left > 0 && row !== -1; left -= 1, row = next[row] as number) {
    if ((duration[row] as number) >= 0) all.push(duration[row] as number)
  }
  return Float64Array.from(all).sort()[Math.ceil(all.length * 0.95) - 1]
}
