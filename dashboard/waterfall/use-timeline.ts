import { useEffect, useMemo, useRef, useState } from 'react'
import type { TraceState } from '../live/trace-store.ts'
import { useRowsInView } from '../parts/use-rows-in-view.ts'
import type { TimeWindow } from './time-scale.tsx'
import { repeatsOf } from './repeats.ts'
import { useTimeAxis } from './use-time-axis.ts'
import { visibleRows } from './visible-rows.ts'

const ROW_PX = 28
const OVERSCAN = 8

interface TimelineOptions {
  trace: TraceState
  /** Whether the execution runs: what has not ended goes on until now then. */
  running: boolean
  /** Whether the critical path is shown. */
  path: boolean
  find: string
  errorsOnly: boolean
  /** Whether what repeats is folded. */
  fold: boolean
  /** The event that is open: it is brought into view once it is there. */
  span: number | undefined
}

/** What a timeline shows at the moment, and what moves it. */
export function useTimeline({ trace, running, path, find, errorsOnly, fold, span }: TimelineOptions) {
  const { table, version } = trace
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const [zoom, setZoom] = useState<TimeWindow>()
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const shownSpan = useRef<number>(undefined)
  /* eslint-disable react-hooks/exhaustive-deps -- the table is changed in place; its version says when */
  const repeats = useMemo(() => repeatsOf(table), [table, version])
  const rows = useMemo(() => {
    const folded = fold ? { repeats, open: unfolded } : undefined
    return visibleRows(table, { collapsed, text: find, errorsOnly, folded })
  }, [table, version, collapsed, find, errorsOnly, fold, repeats, unfolded])
  /* eslint-enable react-hooks/exhaustive-deps */
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: OVERSCAN })
  useEffect(() => {
    const row = span === undefined || span === shownSpan.current ? undefined : table.rowOf(span)
    if (row === undefined) return
    const first = repeats.firstOf[row] ?? -1
    // What is asked for is shown, also when it is folded: once it is not, this comes again.
    if (fold && first !== -1 && !rows.includes(row) && !unfolded.has(first)) {
      return setUnfolded(new Set([...unfolded, first]))
    }
    shownSpan.current = span
    setActive(row)
    const index = rows.indexOf(row)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
  }, [span, rows, table, virtual, fold, repeats, unfolded])
  /** Opens or closes a branch, or what repeats. */
  function toggle(row: number, open: boolean): void {
    if (row < 0) setUnfolded(changed(unfolded, ~row, open))
    else setCollapsed(changed(collapsed, row, !open))
  }
  function go(index: number): void {
    const row = rows[index]
    if (row === undefined) return
    setActive(row)
    virtual.scrollToIndex(index)
  }
  const time = useTimeAxis(trace, running, path)
  const shown = zoom ?? { from: 0, to: time.axis.length }
  return {
    ...time,
    rows,
    repeats,
    unfolded,
    virtual,
    scroller,
    active,
    setActive,
    collapsed,
    setCollapsed,
    zoom,
    setZoom,
    shown,
    toggle,
    go,
  }
}

function changed(set: ReadonlySet<number>, row: number, has: boolean): ReadonlySet<number> {
  const next = new Set(set)
  if (has) next.add(row)
  else next.delete(row)
  return next
}
