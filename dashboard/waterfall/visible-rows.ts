import { fitsAll, fitsQuery, parseEventQuery, type EventQuery } from './event-query.ts'
import type { Repeats } from './repeats.ts'
import type { TraceTable } from './trace-table.ts'

/** What hides rows. */
export interface RowFilter {
  /** Rows whose descendants are hidden. */
  collapsed: ReadonlySet<number>
  /** Only rows that fit what was typed, and what leads to them; see event-query.ts. */
  text: string
  /** Only failures, and what leads to them. */
  errorsOnly: boolean
  /** What is folded, and the first rows of what was unfolded again; undefined when nothing is. */
  folded?: { repeats: Repeats; open: ReadonlySet<number> } | undefined
}

/**
 * The rows to show, in the order of the tree. With a filter every match is shown, whatever is collapsed or folded. What repeats
 * is headed by `~first`, its first row as a negative number; when it is folded, only its failures follow.
 */
export function visibleRows(table: TraceTable, { collapsed, text, errorsOnly, folded }: RowFilter): Int32Array {
  const wanted = parseEventQuery(text)
  const filtered = !fitsAll(wanted) || errorsOnly
  const kept = filtered ? matches(table, wanted, errorsOnly) : undefined
  const { firstOf, byFirst } = (filtered ? undefined : folded?.repeats) ?? {}
  const rows = new Int32Array(table.size + (byFirst?.size ?? 0))
  let count = 0
  let row = table.firstRoot
  while (row !== -1) {
    const first = firstOf?.[row] ?? -1
    if (first === row) rows[count++] = ~row
    const isFolded = first !== -1 && folded?.open.has(first) === false && table.failures[row] === 0
    const shown = !isFolded && (kept === undefined || kept[row] === 1)
    if (shown) rows[count++] = row
    const child = table.firstChild[row] as number
    const enters = child !== -1 && shown && (filtered || !collapsed.has(row))
    row = enters ? child : following(table, row)
  }
  return rows.subarray(0, count)
}

/** The rows that match, in the order in which their events were written. */
export function rowsInOrder(
  table: TraceTable,
  { text, errorsOnly }: Pick<RowFilter, 'text' | 'errorsOnly'>,
): Int32Array {
  const wanted = parseEventQuery(text)
  const rows = Int32Array.from({ length: table.size }, (_, row) => row)
  return fitsAll(wanted) && !errorsOnly ? rows : rows.filter((row) => fits(table, row, wanted, errorsOnly))
}

/** The row after a row and its descendants; -1 at the end. */
function following({ next, parent }: TraceTable, from: number): number {
  for (let row = from; row !== -1; row = parent[row] as number) {
    if (next[row] !== -1) return next[row] as number
  }
  return -1
}

/** 1 for each row that matches, and for what leads to it. */
function matches(table: TraceTable, wanted: EventQuery, errorsOnly: boolean): Uint8Array {
  const kept = new Uint8Array(table.size)
  for (let row = table.size - 1; row >= 0; row -= 1) {
    if (!fits(table, row, wanted, errorsOnly)) continue
    for (let above = row; above !== -1 && kept[above] === 0; above = table.parent[above] as number) kept[above] = 1
  }
  return kept
}

function fits(table: TraceTable, row: number, wanted: EventQuery, errorsOnly: boolean): boolean {
  return (!errorsOnly || table.failed[row] === true) && fitsQuery(table, row, wanted)
}
