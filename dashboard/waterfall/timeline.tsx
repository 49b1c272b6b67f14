import type { CSSProperties, KeyboardEvent } from 'react'
import type { TraceState } from '../live/trace-store.ts'
import { formatCount } from '../parts/format.ts'
import { Empty } from '../parts/panel.tsx'
import { Crosshair } from './crosshair.tsx'
import { Minimap } from './minimap.tsx'
import { RepeatRow } from './repeat-row.tsx'
import type { TimeWindow } from './time-axis.ts'
import { TimeScale } from './time-scale.tsx'
import { TimelineBar } from './timeline-bar.tsx'
import { TimelineRow } from './timeline-row.tsx'
import { gapStripes } from './gap-stripes.ts'
import type { TraceTable } from './trace-table.ts'
import { useTimeline } from './use-timeline.ts'
import { useTimelineKeys } from './use-timeline-keys.ts'

interface TimelineProps {
  trace: TraceState
  /** Whether the execution runs: what has not ended goes on until now then. */
  running: boolean
  find: string
  errorsOnly: boolean
  onFind: (find: string) => void
  onErrorsOnly: (errorsOnly: boolean) => void
  /** Whether the critical path is shown. */
  path: boolean
  onPath: (path: boolean) => void
  /** Whether what repeats is folded. */
  fold: boolean
  onFold: (fold: boolean) => void
  /** The moments that are shown, in milliseconds from the beginning; undefined: all. */
  zoom: TimeWindow | undefined
  onZoom: (zoom: TimeWindow | undefined) => void
  /** The event that is open. */
  span: number | undefined
  onOpen: (id: number) => void
}

/** All events of an execution as a tree with bars; only the rows in view exist. */
export function Timeline(props: TimelineProps) {
  const { trace, span, onOpen } = props
  const { table, version } = trace
  const view = useTimeline(props)
  const { rows, virtual, active, zoom, setZoom, shown, axis } = view
  const onKey = useTimelineKeys({ ...view, table, onOpen })
  const items = virtual.getVirtualItems()
  const activeId = items.some(({ index }) => rows[index] === active) ? idOf(table, active) : undefined
  return (
    <div className="timeline" data-version={version} data-events={table.size}>
      <TimelineBar {...props} {...view} zoom={zoom} onZoom={setZoom} onAll={view.setCollapsed} />
      <Minimap table={table} version={version} axis={axis} zoom={zoom} onZoom={setZoom} />
      <TimeScale axis={axis} shown={shown} />
      <Crosshair scroller={view.scroller} axis={axis} shown={shown} />
      {rows.length === 0 && <NoRows table={table} phase={trace.phase} />}
      <div
        ref={view.scroller}
        className="timeline-rows"
        role="treegrid"
        aria-label="Events"
        aria-rowcount={rows.length}
        aria-activedescendant={activeId}
        tabIndex={0}
        onKeyDown={(event: KeyboardEvent) => onKey(event)}
        style={{ '--gaps': gapStripes(axis, shown) } as CSSProperties}
      >
        <div role="presentation" className="timeline-canvas" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <Row key={rows[index]} {...{ view, table, index, span, onOpen }} top={start} />
          ))}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  view: ReturnType<typeof useTimeline>
  table: TraceTable
  index: number
  top: number
  span: number | undefined
  onOpen: (id: number) => void
}

/** An event, or what heads a repeat. */
function Row({ view, table, index, top, span, onOpen }: RowProps) {
  const { rows, shown, axis, endMs, active, setActive, toggle } = view
  const row = rows[index] as number
  const place = { table, index, top, shown, axis, isActive: row === active }
  const repeat = row < 0 ? view.repeats?.byFirst.get(~row) : undefined
  if (repeat !== undefined) {
    const onToggle = (open: boolean): void => {
      setActive(row)
      toggle(row, open)
    }
    return <RepeatRow {...place} repeat={repeat} first={~row} isOpen={view.unfolded.has(~row)} onToggle={onToggle} />
  }
  return (
    <TimelineRow
      {...place}
      row={row}
      endMs={endMs}
      isCritical={view.critical?.has(row)}
      isOpen={table.id[row] === span}
      isCollapsed={view.collapsed.has(row)}
      onToggle={toggle}
      onSelect={() => {
        setActive(row)
        onOpen(table.id[row] as number)
      }}
    />
  )
}

function idOf({ id }: TraceTable, row: number): string {
  return row < 0 ? `repeat-${id[~row]}` : `event-${id[row]}`
}

/** Says why there is no row; nothing as long as that is not known. */
export function NoRows({ table, phase }: Pick<TraceState, 'table' | 'phase'>) {
  if (table.size > 0) return <Empty title={`0 of ${formatCount(table.size)} match.`} />
  if (phase === 'loading') return null
  return <Empty title="No event yet.">What the agent does will appear here as it happens.</Empty>
}
