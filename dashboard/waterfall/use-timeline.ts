import { useEffect, useMemo, useRef, useState } from 'react'
import type { TraceState } from '../live/trace-store.ts'
import { useRowsInView } from '../parts/use-rows-in-view.ts'
import type { TimeWindow } from './time-scale.tsx'
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
  /** The event that is open: it is brought into view once it is there. */
  span: number | undefined
}

/** What a timeline shows at the moment, and what moves it. */
export function useTimeline({ trace, running, path, find, errorsOnly, span }: TimelineOptions) {
  const { table, version } = trace
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [zoom, setZoom] = useState<TimeWindow>()
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const shownSpan = useRef<number>(undefined)
  const rows = useMemo(
    () => visibleRows(table, { collapsed, text: find, errorsOnly }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the table is changed in place; its version says when
    [table, version, collapsed, find, errorsOnly],
  )
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: OVERSCAN })
  useEffect(() => {
    const row = span === undefined || span === shownSpan.current ? undefined : table.rowOf(span)
    if (row === undefined) return
    shownSpan.current = span
    setActive(row)
    const index = rows.indexOf(row)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
  }, [span, rows, table, virtual])
  function toggle(row: number, open: boolean): void {
    const next = new Set(collapsed)
    if (open) next.delete(row)
    else next.add(row)
    setCollapsed(next)
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
