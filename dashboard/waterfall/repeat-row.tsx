import { durationText } from '../../client/index.ts'
import { useMemo } from 'react'
import { formatCount } from '../parts/format.ts'
import { wordOfType } from './event-words.ts'
import { p95Of, type Repeat } from './repeats.ts'
import type { TimeAxis, TimeWindow } from './time-axis.ts'
import { indent } from './timeline-row.tsx'
import type { TraceTable } from './trace-table.ts'

interface RepeatRowProps {
  table: TraceTable
  repeat: Repeat
  /** Its first event. */
  first: number
  index: number
  top: number
  shown: TimeWindow
  axis: TimeAxis
  isActive: boolean
  isOpen: boolean
  onToggle: (open: boolean) => void
}

/** Equal events that follow each other, in one row. */
export function RepeatRow({ table, repeat, first, index, top, shown, axis, ...state }: RepeatRowProps) {
  const { count, failed, end } = repeat
  const { isActive, isOpen, onToggle } = state
  const p95 = useMemo(() => p95Of(table, first, count), [table, first, count])
  const type = table.type[first] ?? ''
  const depth = table.depth[first] ?? 0
  const at = (ms: number): number => Math.min(1, Math.max(0, (axis.at(ms) - shown.from) / (shown.to - shown.from)))
  const [from, to] = [at(table.start[first] as number), at(end)]
  return (
    <div
      id={`repeat-${table.id[first]}`}
      role="row"
      className="timeline-row timeline-repeat"
      aria-level={depth + 1}
      aria-rowindex={index + 1}
      aria-expanded={isOpen}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onToggle(!isOpen)}
    >
      <span role="gridcell" className="timeline-name" style={{ paddingInlineStart: indent(depth) }}>
        <span className="timeline-toggle" aria-hidden>
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="timeline-type" data-type={type}>
          {wordOfType(type)}
        </span>
        <span className="timeline-text">
          {table.name[first]} × {formatCount(count)}
          {failed > 0 && <span className="bad">, {formatCount(failed)} failed</span>}
        </span>
      </span>
      <span role="gridcell" className="timeline-number dim">
        {p95 === undefined ? '' : 'p95'}
      </span>
      <span role="gridcell" className="timeline-number">
        {p95 === undefined ? '' : durationText(p95)}
      </span>
      <span role="gridcell" className="timeline-bars">
        {to > from && (
          <span className="bar" data-type={type} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
        )}
      </span>
    </div>
  )
}
