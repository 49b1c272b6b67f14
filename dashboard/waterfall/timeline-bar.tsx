import { formatCount, formatDuration } from '../parts/format.ts'
import type { TraceState } from '../live/trace-store.ts'
import type { TimeWindow } from './timeline.tsx'

interface TimelineBarProps {
  trace: TraceState
  find: string
  errorsOnly: boolean
  onFind: (find: string) => void
  onErrorsOnly: (errorsOnly: boolean) => void
  zoom: TimeWindow | undefined
  shown: TimeWindow
  onZoom: (zoom: TimeWindow | undefined) => void
  rowCount: number
  /** Closes these branches and opens all others. */
  onAll: (collapsed: ReadonlySet<number>) => void
}

/** What a timeline is filtered by, and which part of the time it shows. */
export function TimelineBar(props: TimelineBarProps) {
  const { trace, find, errorsOnly, onFind, onErrorsOnly, zoom, shown, onZoom, rowCount, onAll } = props
  const { table } = trace
  const failures = table.failed.reduce((sum, failed) => sum + (failed ? 1 : 0), 0)
  function scale(factor: number): void {
    const middle = (shown.from + shown.to) / 2
    const half = Math.max(0.5, ((shown.to - shown.from) / 2) * factor)
    onZoom({ from: Math.max(0, middle - half), to: Math.min(Math.max(1, table.endMs), middle + half) })
  }
  return (
    <div className="timeline-tools">
      <input
        type="search"
        data-filter
        aria-label="Filter events"
        placeholder="Filter by name, agent or type …"
        value={find}
        onChange={(event) => onFind(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={errorsOnly} onChange={(event) => onErrorsOnly(event.target.checked)} />
        Failures only ({formatCount(failures)})
      </label>
      <span className="dim number" data-total={table.size}>
        {rowCount === table.size ? '' : `${formatCount(rowCount)} of `}
        {formatCount(table.size)} events
      </span>
      <span className="spacer" />
      <button type="button" className="quiet" onClick={() => onAll(new Set())}>
        Open all
      </button>
      <button type="button" className="quiet" onClick={() => onAll(branchesOf(table.firstChild))}>
        Close all
      </button>
      <span className="button-group">
        <button type="button" onClick={() => scale(2)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => scale(0.5)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => onZoom(undefined)} disabled={zoom === undefined}>
          Fit
        </button>
      </span>
      <span className="dim number timeline-window">
        {formatDuration(shown.from)} – {formatDuration(shown.to)}
      </span>
    </div>
  )
}

function branchesOf(firstChild: number[]): ReadonlySet<number> {
  return new Set(firstChild.flatMap((child, row) => (child === -1 ? [] : [row])))
}
