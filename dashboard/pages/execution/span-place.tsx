import { durationText } from '../../../client/index.ts'
import { formatCount } from '../../parts/format.ts'
import { StatusIcon } from '../../parts/status-icon.tsx'
import { wordOfType } from '../../waterfall/event-words.ts'
import { gapBefore, relativesOf } from '../../waterfall/relatives.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'

const CHILDREN = 12

/** When an event began, beside the others. */
export function SpanTimes({ table, row }: { table: TraceTable; row: number }) {
  const gapMs = gapBefore(table, row)
  return (
    <>
      <div>
        <dt>From the start</dt>
        <dd className="number">+{durationText(table.start[row] as number)}</dd>
      </div>
      {gapMs !== undefined && (
        <div>
          <dt>Gap before</dt>
          <dd className="number">{gapMs === 0 ? 'none' : durationText(gapMs)}</dd>
        </div>
      )}
    </>
  )
}

interface SpanPlaceProps {
  table: TraceTable
  row: number
  onOpen: (id: number) => void
}

/** What an event is part of, and what is part of it. */
export function SpanRelatives({ table, row, onOpen }: SpanPlaceProps) {
  const { parent, children, count } = relativesOf(table, row, CHILDREN)
  if (parent === undefined && count === 0) return null
  return (
    <nav className="relatives" aria-label="Related events">
      {parent !== undefined && (
        <p>
          <span className="dim">Part of</span> <Relative table={table} row={parent} onOpen={onOpen} />
        </p>
      )}
      {count > 0 && (
        <details open={count <= CHILDREN}>
          <summary>
            {formatCount(count)} {count === 1 ? 'event' : 'events'} in it
          </summary>
          <ul>
            {children.map((child) => (
              <li key={child}>
                <Relative table={table} row={child} onOpen={onOpen} />
              </li>
            ))}
          </ul>
          {count > CHILDREN && <p className="dim">and {formatCount(count - CHILDREN)} more, in the timeline</p>}
        </details>
      )}
    </nav>
  )
}

function Relative({ table, row, onOpen }: SpanPlaceProps) {
  const type = table.type[row] ?? ''
  const ms = table.duration[row] ?? -1
  return (
    <>
      <span className="timeline-type" data-type={type}>
        {wordOfType(type)}
      </span>{' '}
      <button type="button" className="link" onClick={() => onOpen(table.id[row] as number)}>
        {table.name[row]}, event {table.id[row]}
      </button>
      {ms >= 0 && <span className="dim number"> {durationText(ms)}</span>}
      {table.failed[row] && (
        <span className="timeline-failed">
          {' '}
          <StatusIcon shape="cross" />
          <span className="visually-hidden">failed</span>
        </span>
      )}
    </>
  )
}
