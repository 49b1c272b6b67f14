import { durationText } from '../../client/index.ts'
import { formatCount } from '../parts/format.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import type { TraceState } from '../live/trace-store.ts'
import { EventFilter, type EventFilterProps } from './event-filter.tsx'
import type { Stretch } from './idle-gaps.ts'
import type { TimeAxis, TimeWindow } from './time-axis.ts'
import { branchesBelow } from './use-timeline-keys.ts'

interface TimelineBarProps extends Omit<EventFilterProps, 'table'> {
  trace: TraceState
  path: boolean
  onPath: (path: boolean) => void
  fold: boolean
  onFold: (fold: boolean) => void
  /** Whether anything repeats. */
  mayFold: boolean
  /** Stretches in which nothing happened, where that is most of the time. */
  gaps: Stretch[]
  axis: TimeAxis
  critical: ReadonlySet<number> | undefined
  zoom: TimeWindow | undefined
  shown: TimeWindow
  onZoom: (zoom: TimeWindow | undefined) => void
  zoomBy: (factor: number) => void
  rows: Int32Array
  /** Closes these branches and opens all others. */
  onAll: (collapsed: ReadonlySet<number>) => void
}

/** What a timeline is filtered by, and which part of the time it shows. */
export function TimelineBar(props: TimelineBarProps) {
  const { trace, zoom, shown, onZoom, zoomBy, rows, axis, onAll } = props
  const { table } = trace
  const count = rows.reduce((sum, row) => sum + (row < 0 ? 0 : 1), 0)
  return (
    <div className="timeline-tools">
      <EventFilter {...props} table={table} />
      <Views {...props} />
      <span className="dim number" data-total={table.size}>
        {count === table.size ? '' : `${formatCount(count)} of `}
        {formatCount(table.size)} {table.size === 1 ? 'event' : 'events'}
      </span>
      <span className="spacer" />
      <button type="button" className="quiet" data-shortcut="e" onClick={() => onAll(new Set())}>
        Open all
      </button>
      <button type="button" className="quiet" data-shortcut="w" onClick={() => onAll(branchesBelow(table, 1))}>
        Close all
      </button>
      <span className="button-group">
        <button type="button" onClick={() => zoomBy(2)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => zoomBy(0.5)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => onZoom(undefined)} disabled={zoom === undefined}>
          Fit
        </button>
      </span>
      {zoom !== undefined && (
        <span className="dim number">
          {durationText(axis.timeAt(shown.from))} – {durationText(axis.timeAt(shown.to))}
        </span>
      )}
    </div>
  )
}

/** Other ways to see the same: by what the length comes from, without repetitions, and without the waiting. */
function Views({ trace: { table }, path, onPath, fold, onFold, mayFold, gaps, critical }: TimelineBarProps) {
  const { shortIdle } = useStore(preferences)
  const idleMs = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  return (
    <>
      <label className="check" title="What the length of the run comes from">
        <input type="checkbox" checked={path} onChange={(event) => onPath(event.target.checked)} />
        Critical path{critical === undefined || table.size === 0 ? '' : ` (${formatCount(critical.size)})`}
      </label>
      {mayFold && (
        <label className="check" title="Equal events that follow each other become one row; failures stay">
          <input type="checkbox" checked={fold} onChange={(event) => onFold(event.target.checked)} />
          Fold repeats
        </label>
      )}
      {gaps.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={shortIdle}
            onChange={(event) => preferences.update({ shortIdle: event.target.checked })}
          />
          Idle time short ({durationText(idleMs)})
        </label>
      )}
    </>
  )
}
