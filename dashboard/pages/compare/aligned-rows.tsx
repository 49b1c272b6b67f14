import { durationText } from '../../../client/index.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatCount } from '../../parts/format.ts'
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
  /** The row that is asked for: it is brought into view. */
  shown: number | undefined
}

/** The events of two executions, those that belong together in one row. */
export function AlignedRows({ rows, left, right, shown }: AlignedRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  useEffect(() => {
    if (shown === undefined) return
    virtual.scrollToIndex(shown, { align: 'center' })
    scroller.current?.focus()
  }, [shown, virtual])
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
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row
            key={index}
            row={rows[index] as AlignedRow}
            isActive={index === shown}
            top={start}
            {...{ left, right }}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  row: AlignedRow
  isActive: boolean
  top: number
  left: Side
  right: Side
}

function Row({ row, isActive, top, left, right }: RowProps) {
  const only = row.left === undefined ? 'only in B' : row.right === undefined ? 'only in A' : undefined
  return (
    <div
      role="row"
      className="row row-aligned"
      data-only={only}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)` }}
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
  const took = signed(lengthOf(right, row.right) - lengthOf(left, row.left), durationText)
  const tokens = tokensOf(right, row.right) - tokensOf(left, row.left)
  return tokens === 0 ? took : `${took} · ${signed(tokens, formatCount)} tok`
}

function tokensOf({ promptTokens, completionTokens }: TraceTable, row: number): number {
  return (promptTokens[row] as number) + (completionTokens[row] as number)
}

function lengthOf(table: TraceTable, row: number): number {
  return (table.end[row] as number) - (table.start[row] as number)
}
