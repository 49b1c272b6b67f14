import type { TraceTable } from './trace-table.ts'

/** What hides rows. */
export interface RowFilter {
  /** Rows whose descendants are hidden. */
  collapsed: ReadonlySet<number>
  /** Only rows whose name, agent or type holds this text, and what leads to them; in any case. */
  text: string
  /** Only failures, and what leads to them. */
  errorsOnly: boolean
}

/** The rows to show, in the order of the tree. With a filter every match is shown, whatever is collapsed. */
export function visibleRows(table: TraceTable, { collapsed, text, errorsOnly }: RowFilter): Int32Array {
  const wanted = text.toLowerCase()
  const filtered = wanted !== '' || errorsOnly
  const kept = filtered ? matches(table, wanted, errorsOnly) : undefined
  const rows = new Int32Array(table.size)
  let count = 0
  let row = table.firstRoot
  while (row !== -1) {
    const shown = kept === undefined || kept[row] === 1
    if (shown) rows[count++] = row
    const child = table.firstChild[row] as number
    const enters = child !== -1 && shown && (filtered || !collapsed.has(row))
    row = enters ? child : following(table, row)
  }
  return rows.subarray(0, count)
}

/** The row after a row and its descendants; -1 at the end. */
function following({ next, parent }: TraceTable, from: number): number {
  for (let row = from; row !== -1; row = parent[row] as number) {
    if (next[row] !== -1) return next[row] as number
  }
  return -1
}

/** 1 for each row that matches, and for what leads to it. */
function matches(table: TraceTable, wanted: string, errorsOnly: boolean): Uint8Array {
  const kept = new Uint8Array(table.size)
  for (let row = table.size - 1; row >= 0; row -= 1) {
    const fits = (!errorsOnly || table.failed[row]) && (wanted === '' || holds(table, row, wanted))
    if (!fits) continue
    for (let above = row; above !== -1 && kept[above] === 0; above = table.parent[above] as number) kept[above] = 1
  }
  return kept
}

function holds({ name, agent, type }: TraceTable, row: number, wanted: string): boolean {
  return [name[row], agent[row], type[row]].some((text) => text?.toLowerCase().includes(wanted))
}
