import type { TraceTable } from '../../waterfall/trace-table.ts'

/** A row of two traces beside each other; undefined where only one side has it. */
export interface AlignedRow {
  left: number | undefined
  right: number | undefined
  depth: number
}

/** Above so many pairs siblings are matched by their order alone: the best match would take too long to find. */
const MAX_PAIRS = 1_000_000

/** Two traces row by row: what has the same type and name under the same parent, in order, stands together. */
export function align(left: TraceTable, right: TraceTable): AlignedRow[] {
  const rows: AlignedRow[] = []
  // From the last to the first, so that the first is taken first.
  const open: AlignedRow[] = pairs(left, right, roots(left), roots(right), 0).reverse()
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    rows.push(row)
    const ones = row.left === undefined ? [] : children(left, row.left)
    const others = row.right === undefined ? [] : children(right, row.right)
    for (const child of pairs(left, right, ones, others, row.depth + 1).reverse()) open.push(child)
  }
  return rows
}

function roots(table: TraceTable): number[] {
  return chain(table, table.firstRoot)
}

function children(table: TraceTable, row: number): number[] {
  return chain(table, table.firstChild[row] ?? -1)
}

function chain({ next }: TraceTable, first: number): number[] {
  const rows: number[] = []
  for (let row = first; row !== -1; row = next[row] as number) rows.push(row)
  return rows
}

function pairs(left: TraceTable, right: TraceTable, ones: number[], others: number[], depth: number): AlignedRow[] {
  const same = (one: number, other: number): boolean =>
    left.type[one] === right.type[other] && left.name[one] === right.name[other]
  const matches = ones.length * others.length > MAX_PAIRS ? inOrder(ones, others, same) : longest(ones, others, same)
  const rows: AlignedRow[] = []
  let [at, otherAt] = [0, 0]
  for (const [one, other] of [...matches, [ones.length, others.length] as const]) {
    for (; at < one; at += 1) rows.push({ left: ones[at], right: undefined, depth })
    for (; otherAt < other; otherAt += 1) rows.push({ left: undefined, right: others[otherAt], depth })
    if (one === ones.length) break
    rows.push({ left: ones[at++], right: others[otherAt++], depth })
  }
  return rows
}

type Same = (one: number, other: number) => boolean

/** Places of the longest common subsequence. */
function longest(ones: number[], others: number[], same: Same): [number, number][] {
  const width = others.length + 1
  const lengths = new Uint32Array((ones.length + 1) * width)
  for (let one = ones.length - 1; one >= 0; one -= 1) {
    for (let other = others.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] = same(ones[one] as number, others[other] as number)
        ? (lengths[(one + 1) * width + other + 1] as number) + 1
        : Math.max(lengths[(one + 1) * width + other] as number, lengths[one * width + other + 1] as number)
    }
  }
  const found: [number, number][] = []
  for (let one = 0, other = 0; one < ones.length && other < others.length;) {
    if (same(ones[one] as number, others[other] as number)) found.push([one++, other++])
    else if ((lengths[(one + 1) * width + other] as number) >= (lengths[one * width + other + 1] as number)) one += 1
    else other += 1
  }
  return found
}

/** Places of what is the same at the same place. */
function inOrder(ones: number[], others: number[], same: Same): [number, number][] {
  const count = Math.min(ones.length, others.length)
  return Array.from({ length: count }, (_, at): [number, number] => [at, at]).filter(([at]) =>
    same(ones[at] as number, others[at] as number),
  )
}
