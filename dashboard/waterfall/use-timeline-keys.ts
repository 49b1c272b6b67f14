import type { KeyboardEvent } from 'react'
import { preferences } from '../live/preferences.ts'
import type { TimeWindow } from './time-axis.ts'
import type { TraceTable } from './trace-table.ts'

interface TimelineKeys {
  table: TraceTable
  rows: Int32Array
  /** The row that the keys start from. */
  active: number
  collapsed: ReadonlySet<number>
  unfolded: ReadonlySet<number>
  toggle: (row: number, open: boolean) => void
  /** Closes these branches and opens all others. */
  setCollapsed: (collapsed: ReadonlySet<number>) => void
  /** Goes to a place among the visible rows. */
  go: (index: number) => void
  setZoom: (zoom: TimeWindow | undefined) => void
  zoomBy: (factor: number) => void
  zoomTo: (row: number) => void
  onOpen: (id: number) => void
}

const PAGE_ROWS = 20

/** The keys of a treegrid: arrows, Home and End, Page Up and Down, Enter; `j`, `k`, `n`, `N`; `1` to `9` for so many levels; `+`, `-`, `z`, `0` for the time. */
export function useTimelineKeys(keys: TimelineKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.length === 1 && !preferences.state.shortcuts) return
    if (handle(keys, event.key)) event.preventDefault()
  }
}

function handle(keys: TimelineKeys, key: string): boolean {
  const { rows, active, go } = keys
  if (rows.length === 0) return false
  const at = Math.max(0, rows.indexOf(active))
  const last = rows.length - 1
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: last,
  }
  const zooms: Record<string, () => void> = {
    '+': () => keys.zoomBy(0.5),
    '-': () => keys.zoomBy(2),
    z: () => keys.zoomTo(active < 0 ? ~active : active),
    '0': () => keys.setZoom(undefined),
  }
  const move = moves[key]
  if (move !== undefined) go(Math.min(last, Math.max(0, move)))
  else if (key === 'Enter') openRow(keys, rows[at] as number)
  else if (key === 'ArrowLeft' || key === 'ArrowRight') turn(keys, at, key === 'ArrowRight')
  else if (zooms[key] !== undefined) zooms[key]()
  else if (/^[1-9]$/.test(key)) keys.setCollapsed(branchesBelow(keys.table, Number(key)))
  else if (key === 'n' || key === 'N') goToFailure(keys, at, key === 'n' ? 1 : -1)
  else return false
  return true
}

function openRow({ table, unfolded, toggle, onOpen }: TimelineKeys, row: number): void {
  if (row < 0) toggle(row, !unfolded.has(~row))
  else onOpen(table.id[row] as number)
}

/** Closes a branch, or goes to its parent; opens it, or goes to its first child. What repeats is such a branch. */
function turn({ table, rows, collapsed, unfolded, toggle, go }: TimelineKeys, at: number, open: boolean): void {
  const row = rows[at]
  if (row === undefined) return
  const isBranch = row < 0 || table.firstChild[row] !== -1
  const isClosed = row < 0 ? !unfolded.has(~row) : collapsed.has(row)
  const parent = table.parent[row < 0 ? ~row : row] as number
  if (isBranch && open === isClosed) toggle(row, open)
  else if (open && isBranch) go(at + 1)
  else if (!open && parent !== -1) go(rows.indexOf(parent))
}

/** The branches of a level and of those below it, counted from 1. */
export function branchesBelow({ firstChild, depth }: TraceTable, level: number): ReadonlySet<number> {
  return new Set(firstChild.flatMap((child, row) => (child !== -1 && (depth[row] ?? 0) >= level - 1 ? [row] : [])))
}

function goToFailure({ table, rows, go }: TimelineKeys, at: number, step: 1 | -1): void {
  for (let index = at + step; index >= 0 && index < rows.length; index += step) {
    if (table.failed[rows[index] as number]) return go(index)
  }
}
