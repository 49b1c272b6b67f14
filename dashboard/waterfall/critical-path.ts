import type { TraceTable } from './trace-table.ts'

/**
 * The rows that the length of a run comes from: from its end backwards always what ended last before. Had one of them taken
 * less time, the run might have ended earlier; of any other row it would not.
 * @param endMs - where what still runs ends
 */
export function criticalPath(table: TraceTable, endMs: number): ReadonlySet<number> {
  const path = new Set<number>()
  const roots = childrenOf(table, table.firstRoot)
  const open: { rows: number[]; before: number }[] = [{ rows: roots, before: endMs }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    let { before } = next
    for (const row of next.rows.sort((one, other) => endOf(table, other, endMs) - endOf(table, one, endMs))) {
      const end = endOf(table, row, endMs)
      // The end of an agent is told by an event of its own, which is no work.
      if (end > before || table.type[row] === 'task_complete') continue
      path.add(row)
      const child = table.firstChild[row] as number
      if (child !== -1) open.push({ rows: childrenOf(table, child), before: end })
      before = table.start[row] as number
    }
  }
  return path
}

function childrenOf({ next }: TraceTable, first: number): number[] {
  const rows: number[] = []
  for (let row = first; row !== -1; row = next[row] as number) rows.push(row)
  return rows
}

function endOf({ closed, end }: TraceTable, row: number, endMs: number): number {
  return closed[row] ? (end[row] as number) : endMs
}
