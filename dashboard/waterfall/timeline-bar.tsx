import { formatCount, formatDuration } from '../parts/format.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import type { TraceState } from '../live/trace-store.ts'
import type { Stretch } from './idle-gaps.ts'
import type { TimeAxis } from './time-axis.ts'
import type { TimeWindow } from './time-scale.tsx'

interface TimelineBarProps {
  trace: TraceState
  find: string
  errorsOnly: boolean
  onFind: (find: string) => void
  onErrorsOnly: (errorsOnly: boolean) => void
  path: boolean
  onPath: (path: boolean) => void
  /** Stretches in which nothing happened, where that is most of the time. */
  gaps: Stretch[]
  axis: TimeAxis
  critical: ReadonlySet<number> | undefined
  zoom: TimeWindow | undefined
  shown: TimeWindow
  onZoom: (zoom: TimeWindow | undefined) => void
  rows: { length: number }
  /** Closes these branches and opens all others. */
  onAll: (collapsed: ReadonlySet<number>) => void
}

/** What a timeline is filtered by, and which part of the time it shows. */
export function TimelineBar(props: TimelineBarProps) {
  const { trace, find, errorsOnly, onFind, onErrorsOnly, zoom, shown, onZoom, rows, axis, onAll } = props
  const { table } = trace
  const failures = table.failed.reduce((sum, failed) => sum + (failed ? 1 : 0), 0)
  function scale(factor: number): void {
    const middle = (shown.from + shown.to) / 2
    const half = Math.max(0.5, ((shown.to - shown.from) / 2) * factor)
    onZoom({ from: Math.max(0, middle - half), to: Math.min(axis.length, middle + half) })
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
      <Views {...props} />
      <span className="dim number" data-total={table.size}>
        {rows.length === table.size ? '' : `${formatCount(rows.length)} of `}
        {formatCount(table.size)} {table.size === 1 ? 'event' : 'events'}
      </span>
      <span className="spacer" />
      <button type="button" className="quiet" data-shortcut="e" onClick={() => onAll(new Set())}>
        Open all
      </button>
      <button type="button" className="quiet" data-shortcut="w" onClick={() => onAll(branchesOf(table.firstChild))}>
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
      {zoom !== undefined && (
        <span className="dim number">
          {formatDuration(axis.timeAt(shown.from))} – {formatDuration(axis.timeAt(shown.to))}
        </span>
      )}
    </div>
  )
}

/** Other ways to see the same: by what the length comes from, and without the waiting. */
function Views({ trace: { table }, path, onPath, gaps, critical, onZoom }: TimelineBarProps) {
  const { shortIdle } = useStore(preferences)
  const idleMs = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  return (
    <>
      <label className="check" title="What the length of the run comes from">
        <input type="checkbox" checked={path} onChange={(event) => onPath(event.target.checked)} />
        Critical path{critical === undefined || table.size === 0 ? '' : ` (${formatCount(critical.size)})`}
      </label>
      {gaps.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={shortIdle}
            onChange={(event) => {
              onZoom(undefined)
              preferences.update({ shortIdle: event.target.checked })
            }}
          />
          Idle time short ({formatDuration(idleMs)})
        </label>
      )}
    </>
  )
}

function branchesOf(firstChild: number[]): ReadonlySet<number> {
  return new Set(firstChild.flatMap((child, row) => (child === -1 ? [] : [row])))
}
