import { useMemo, useState } from 'react'
import type { TraceState } from '../live/trace-store.ts'
import { hasRepeats, repeatsOf } from './repeats.ts'
import { visibleRows } from './visible-rows.ts'

/** What decides which rows a timeline has, beside what is closed and opened in it. */
export interface TimelineRowsOptions {
  trace: TraceState
  find: string
  errorsOnly: boolean
  /** Whether what repeats is folded. */
  fold: boolean
}

/** The rows of a timeline, and what opens and closes them. */
export function useTimelineRows({ trace: { table, version }, find, errorsOnly, fold }: TimelineRowsOptions) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  /* eslint-disable react-hooks/exhaustive-deps -- the table is changed in place; its version says when */
  const repeats = useMemo(() => (fold ? repeatsOf(table) : undefined), [table, version, fold])
  const mayFold = useMemo(() => fold || hasRepeats(table), [table, version, fold])
  const rows = useMemo(() => {
    const folded = repeats && { repeats, open: unfolded }
    return visibleRows(table, { collapsed, text: find, errorsOnly, folded })
  }, [table, version, collapsed, find, errorsOnly, repeats, unfolded])
  /* eslint-enable react-hooks/exhaustive-deps */
  /** Opens or closes a branch, or what repeats. */
  function toggle(row: number, open: boolean): void {
    if (row < 0) setUnfolded(changed(unfolded, ~row, open))
    else setCollapsed(changed(collapsed, row, !open))
  }
  return { rows, repeats, mayFold, unfolded, collapsed, setCollapsed, toggle }
}

function changed(set: ReadonlySet<number>, row: number, has: boolean): ReadonlySet<number> {
  const next = new Set(set)
  if (has) next.add(row)
  else next.delete(row)
  return next
}
