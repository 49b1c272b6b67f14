import { useEffect, useRef, useState } from 'react'
import { useRowsInView } from '../parts/use-rows-in-view.ts'
import type { TimeWindow } from './time-axis.ts'
import { useTimeAxis } from './use-time-axis.ts'
import { useTimelineRows, type TimelineRowsOptions } from './use-timeline-rows.ts'
import { useWheelZoom } from './use-wheel-zoom.ts'
import { LEAST_MS, zoomed } from './zoomed.ts'

const ROW_PX = 28
const OVERSCAN = 8
/** Room on both sides of an event that is shown alone, as a share of its time. */
const MARGIN = 0.05

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
  const asked = options.zoom && { from: axis.at(options.zoom.from), to: axis.at(options.zoom.to) }
  /** Moments are kept, not places: they are the same wherever idle time is shown short. */
  function setZoom(places: TimeWindow | undefined): void {
    if (places === undefined) return options.onZoom(undefined)
    const from = rounded(axis.timeAt(places.from))
    options.onZoom({ from, to: Math.max(from + LEAST_MS, rounded(axis.timeAt(places.to))) })
  }
  const zoom = useWheelZoom({ scroller, asked, length: axis.length, onZoom: setZoom })
  const shown = zoom ?? { from: 0, to: axis.length }
  function zoomBy(factor: number): void {
    setZoom(zoomed(shown, { length: axis.length, at: (shown.from + shown.to) / 2, factor }))
  }
  /** Shows the time of one event alone. */
  function zoomTo(row: number): void {
    const [startMs, endMs] = [table.start[row] ?? 0, table.closed[row] ? (table.end[row] ?? 0) : time.endMs]
    const margin = Math.max(LEAST_MS / 2, (endMs - startMs) * MARGIN)
    setZoom({ from: Math.max(0, axis.at(startMs - margin)), to: Math.min(axis.length, axis.at(endMs + margin)) })
  }
  return { ...time, ...view, virtual, scroller, active, setActive, zoom, setZoom, zoomBy, zoomTo, shown, go }
}

/** Addresses hold it: tenths of a millisecond are enough. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
