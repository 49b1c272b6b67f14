import type { TraceTable } from '../../waterfall/trace-table.ts'
import { match, type Matched } from './match.ts'

/** A row of two traces beside each other. */
export interface AlignedRow extends Matched<number> {
  depth: number
}

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
  return match(ones, others, same).map((row) => ({ ...row, depth }))
}
