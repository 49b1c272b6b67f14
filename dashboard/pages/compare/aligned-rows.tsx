import { durationText } from '../../../client/index.ts'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { wordOfType } from '../../waterfall/event-words.ts'
import type { AlignedRow } from './align.ts'
import { signed } from './signed.ts'

const ROW_PX = 28

/** One of the two executions, with its trace. */
interface Side {
  id: string
  table: TraceTable
}

interface AlignedRowsProps {
  rows: AlignedRow[]
  left: Side
  right: Side
}

/** The events of two executions, those that belong together in one row. */
export function AlignedRows({ rows, left, right }: AlignedRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  return (
    <div
      ref={scroller}
      className="rows"
      role="table"
      aria-label="Events of both"
      aria-rowcount={rows.length}
      tabIndex={0}
    >
      <div role="row" className="row row-head row-aligned">
        <span role="columnheader" className="cell">
          Event
        </span>
        <span role="columnheader" className="cell right">
          A took
        </span>
        <span role="columnheader" className="cell right">
          B took
        </span>
        <span role="columnheader" className="cell right cell-delta">
          B − A
        </span>
      </div>
      <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as AlignedRow
          const only = row.left === undefined ? 'only in B' : row.right === undefined ? 'only in A' : undefined
          return (
            <div
              key={index}
              role="row"
              className="row row-aligned"
              data-only={only}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span role="cell" className="cell" style={{ paddingInlineStart: 8 + Math.min(12, row.depth) * 14 }}>
                {only !== undefined && <span className="tag">{only}</span>}
                <Name table={row.left === undefined ? right.table : left.table} row={row.left ?? row.right ?? 0} />
              </span>
              <span role="cell" className="cell number right">
                <Took side={left} row={row.left} />
              </span>
              <span role="cell" className="cell number right">
                <Took side={right} row={row.right} />
              </span>
              <span role="cell" className="cell number right cell-delta">
                {differenceOf(left.table, right.table, row)}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Name({ table, row }: { table: TraceTable; row: number }) {
  return (
    <>
      <span className="timeline-type" data-type={table.type[row]}>
        {wordOfType(table.type[row] ?? '')}
      </span>{' '}
      {table.name[row]}
    </>
  )
}

/** How long it took, as a link to the event. */
function Took({ side: { id, table }, row }: { side: Side; row: number | undefined }) {
  if (row === undefined) return null
  return (
    <Link to="/executions/$id" params={{ id }} search={{ span: table.id[row] }}>
      {durationText(lengthOf(table, row))}
    </Link>
  )
}

function differenceOf(left: TraceTable, right: TraceTable, row: AlignedRow): string {
  if (row.left === undefined || row.right === undefined) return ''
  return signed(lengthOf(right, row.right) - lengthOf(left, row.left), durationText)
}

function lengthOf(table: TraceTable, row: number): number {
  return (table.end[row] as number) - (table.start[row] as number)
}
