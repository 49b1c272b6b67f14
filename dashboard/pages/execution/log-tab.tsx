import { durationText } from '../../../client/index.ts'
import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import type { TraceState } from '../../live/trace-store.ts'
import { formatClock, formatCount } from '../../parts/format.ts'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'
import { EventFilter, type EventFilterProps } from '../../waterfall/event-filter.tsx'
import { wordOfType } from '../../waterfall/event-words.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { NoRows } from '../../waterfall/timeline.tsx'
import { rowsInOrder } from '../../waterfall/visible-rows.ts'

const ROW_PX = 28

interface LogTabProps extends Omit<EventFilterProps, 'table'> {
  trace: TraceState
  span: number | undefined
  onOpen: (id: number) => void
}

/** The events of an execution in the order in which they were written; the end stays in view for who is there. */
export function LogTab({ trace: { table, version, phase }, span, onOpen, ...filter }: LogTabProps) {
  const { find, errorsOnly } = filter
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () => rowsInOrder(table, { text: find, errorsOnly }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the table is changed in place; its version says when
    [table, version, find, errorsOnly],
  )
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  useFollowAtEnd(scroller, rows.length)
  return (
    <div className="timeline">
      <div className="timeline-tools">
        <EventFilter table={table} {...filter} />
        <span className="dim number">
          {rows.length === table.size ? '' : `${formatCount(rows.length)} of `}
          {formatCount(table.size)} {table.size === 1 ? 'event' : 'events'}
        </span>
      </div>
      {rows.length === 0 && <NoRows table={table} phase={phase} />}
      <div ref={scroller} className="rows" role="table" aria-label="Log" aria-rowcount={rows.length} tabIndex={0}>
        <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as number
            const isOpen = table.id[row] === span
            return <LogRow key={table.id[row]} {...{ table, row, index, isOpen, onOpen }} top={start} />
          })}
        </div>
      </div>
    </div>
  )
}

interface LogRowProps {
  table: TraceTable
  row: number
  index: number
  top: number
  isOpen: boolean
  onOpen: (id: number) => void
}

function LogRow({ table, row, index, top, isOpen, onOpen }: LogRowProps) {
  const { zone } = useStore(preferences)
  const type = table.type[row] ?? ''
  const ms = table.duration[row] ?? -1
  const spent = (table.promptTokens[row] ?? 0) + (table.completionTokens[row] ?? 0)
  // What an agent's row spans ends with what it did; its own event was written when it began.
  const length = type === 'task_complete' ? 0 : Math.max(0, ms)
  const writtenMs = table.originMs + (table.start[row] as number) + length
  return (
    <div
      role="row"
      className="row row-log"
      aria-rowindex={index + 1}
      data-failed={table.failed[row] || undefined}
      data-open={isOpen || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="cell number">
        <time dateTime={new Date(writtenMs).toISOString()}>{formatClock(writtenMs, zone, true)}</time>
      </span>
      <span role="cell" className="cell">
        {table.agent[row]}
      </span>
      <span role="cell" className="cell">
        <span className="timeline-type" data-type={type}>
          {wordOfType(type)}
        </span>
      </span>
      <span role="cell" className="cell">
        <button type="button" className="link" onClick={() => onOpen(table.id[row] as number)}>
          {table.name[row]}
          {table.failed[row] && <span className="bad"> failed</span>}
        </button>
      </span>
      <span role="cell" className="cell number right">
        {spent > 0 ? `${formatCount(spent)} tok` : ''}
      </span>
      <span role="cell" className="cell number right">
        {ms < 0 ? '' : durationText(ms)}
      </span>
    </div>
  )
}

/** Who reads the end goes on reading it; who has scrolled up stays where they are. */
function useFollowAtEnd(scroller: RefObject<HTMLDivElement | null>, count: number): void {
  const atEnd = useRef(false)
  useEffect(() => {
    const element = scroller.current
    const look = (): void => {
      atEnd.current = element !== null && element.scrollTop + element.clientHeight >= element.scrollHeight - ROW_PX
    }
    element?.addEventListener('scroll', look, { passive: true })
    return () => element?.removeEventListener('scroll', look)
  }, [scroller])
  useEffect(() => {
    if (atEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [scroller, count])
}
