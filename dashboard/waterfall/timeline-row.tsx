import { durationText } from '../../client/index.ts'
import { formatCount } from '../parts/format.ts'
import { StatusIcon } from '../parts/status-icon.tsx'
import { wordOfType } from './event-words.ts'
import type { TimeAxis, TimeWindow } from './time-axis.ts'
import type { TraceTable } from './trace-table.ts'

interface TimelineRowProps {
  table: TraceTable
  row: number
  index: number
  top: number
  shown: TimeWindow
  axis: TimeAxis
  /** Where what has not ended ends. */
  endMs: number
  /** Whether it is on the critical path; undefined as long as that is not shown. */
  isCritical: boolean | undefined
  isActive: boolean
  isOpen: boolean
  isCollapsed: boolean
  onToggle: (row: number, open: boolean) => void
  onSelect: () => void
}

/** One event: what it is at the left, when it was at the right. */
export function TimelineRow(props: TimelineRowProps) {
  const { table, row, index, top, isActive, isOpen, isCollapsed, onToggle, onSelect } = props
  const isBranch = table.firstChild[row] !== -1
  const type = table.type[row] ?? ''
  const failed = table.failed[row] === true
  const spent = (table.promptTokens[row] ?? 0) + (table.completionTokens[row] ?? 0)
  return (
    <div
      id={`event-${table.id[row]}`}
      role="row"
      className="timeline-row"
      aria-level={(table.depth[row] ?? 0) + 1}
      aria-rowindex={index + 1}
      aria-expanded={isBranch ? !isCollapsed : undefined}
      aria-selected={isOpen}
      data-active={isActive || undefined}
      data-failed={failed || undefined}
      data-critical={props.isCritical}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onSelect}
    >
      <span role="gridcell" className="timeline-name" style={{ paddingInlineStart: indent(table.depth[row] ?? 0) }}>
        <button
          type="button"
          className="timeline-toggle"
          tabIndex={-1}
          aria-hidden={!isBranch}
          aria-label={isCollapsed ? 'Open' : 'Close'}
          data-hidden={!isBranch || undefined}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(row, isCollapsed)
          }}
        >
          {isCollapsed ? '▸' : '▾'}
        </button>
        <span className="timeline-type" data-type={type}>
          {wordOfType(type)}
        </span>
        <span className="timeline-text">{table.name[row]}</span>
        {failed && (
          <span className="timeline-failed">
            <StatusIcon shape="cross" />
            <span className="visually-hidden">failed</span>
          </span>
        )}
      </span>
      <span role="gridcell" className="timeline-number">
        {spent > 0 ? `${formatCount(spent)} tok` : ''}
      </span>
      <span role="gridcell" className="timeline-number">
        {lengthOf(props)}
      </span>
      <span role="gridcell" className="timeline-bars">
        <Bar {...props} type={type} failed={failed} />
      </span>
    </div>
  )
}

/** Where the name of an event begins, in pixels. */
export function indent(depth: number): number {
  return 8 + Math.min(depth, 12) * 14
}

/** How long it took, where it took any time that is known. */
function lengthOf({ table, row, endMs }: TimelineRowProps): string {
  if (table.type[row] === 'task_start') {
    const tookMs = endOf(table, row, endMs) - (table.start[row] as number)
    return table.closed[row] ? durationText(tookMs) : `${durationText(tookMs)} …`
  }
  const ms = table.duration[row] ?? -1
  return ms < 0 || table.type[row] === 'task_complete' ? '' : durationText(ms)
}

function endOf({ closed, end }: TraceTable, row: number, endMs: number): number {
  return closed[row] ? (end[row] as number) : endMs
}

function Bar({ table, row, shown, axis, endMs, type, failed }: TimelineRowProps & { type: string; failed: boolean }) {
  const span = shown.to - shown.from
  const endsAt = endOf(table, row, endMs)
  const from = (axis.at(table.start[row] as number) - shown.from) / span
  const to = (axis.at(endsAt) - shown.from) / span
  if (to < 0 || from > 1) return null
  const left = Math.max(0, from)
  const width = Math.min(1, to) - left
  const isPoint = endsAt === table.start[row]
  return (
    <span
      className="bar"
      data-type={type}
      data-failed={failed || undefined}
      data-open={!table.closed[row] || undefined}
      data-point={isPoint || undefined}
      // What happens at the very end is as wide as the least of bars, and in view.
      style={{ left: `min(${left * 100}%, 100% - 3px)`, width: `${Math.max(0, width) * 100}%` }}
    />
  )
}
