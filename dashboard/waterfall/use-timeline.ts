import { useEffect, useRef, useState } from 'react'
import { useRowsInView } from '../parts/use-rows-in-view.ts'
import type { TimeWindow } from './time-scale.tsx'
import { useTimeAxis } from './use-time-axis.ts'
import { useTimelineRows, type TimelineRowsOptions } from './use-timeline-rows.ts'

const ROW_PX = 28
const OVERSCAN = 8
/** The shortest time that is shown. */
const LEAST_MS = 0.1

interface TimelineOptions extends TimelineRowsOptions {
  /** Whether the execution runs: what has not ended goes on until now then. */
  running: boolean
  /** Whether the critical path is shown. */
  path: boolean
  /** The event that is open: it is brought into view once it is there. */
  span: number | undefined
  /** The moments that are shown, in milliseconds from the beginning; undefined: all. */
  zoom: TimeWindow | undefined
  onZoom: (zoom: TimeWindow | undefined) => void
}

/** What a timeline shows at the moment, and what moves it. */
export function useTimeline(options: TimelineOptions) {
  const { trace, running, path, span } = options
  const { table } = trace
  const view = useTimelineRows(options)
  const { rows, repeats, unfolded, toggle } = view
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const shownSpan = useRef<number>(undefined)
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: OVERSCAN })
  useEffect(() => {
    const row = span === undefined || span === shownSpan.current ? undefined : table.rowOf(span)
    if (row === undefined) return
    const first = repeats?.firstOf[row] ?? -1
    // What is asked for is shown, also when it is folded: once it is not, this comes again.
    if (first !== -1 && !rows.includes(row) && !unfolded.has(first)) {
      return toggle(~first, true)
    }
    shownSpan.current = span
    setActive(row)
    const index = rows.indexOf(row)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- toggle is made of `unfolded`
  }, [span, rows, table, virtual, repeats, unfolded])
  function go(index: number): void {
    const row = rows[index]
    if (row === undefined) return
    setActive(row)
    virtual.scrollToIndex(index)
  }
  const time = useTimeAxis(trace, running, path)
  const { axis } = time
  const zoom = options.zoom && { from: axis.at(options.zoom.from), to: axis.at(options.zoom.to) }
  /** Moments are kept, not places: they are the same wherever idle time is shown short. */
  function setZoom(places: TimeWindow | undefined): void {
    if (places === undefined) return options.onZoom(undefined)
    const from = rounded(axis.timeAt(places.from))
    options.onZoom({ from, to: Math.max(from + LEAST_MS, rounded(axis.timeAt(places.to))) })
  }
  const shown = zoom ?? { from: 0, to: axis.length }
  return { ...time, ...view, virtual, scroller, active, setActive, zoom, setZoom, shown, go }
}

/** Addresses hold it: tenths of a millisecond are enough. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
