import { useMemo, useRef, useState } from 'react'
import { durationText } from '../../../client/index.ts'
import { formatCount } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { modelCalls, type CallOrder } from './model-calls.ts'

const ROW_PX = 28
const ORDERS = [
  { value: 'time', label: 'as they came' },
  { value: 'tokens', label: 'most tokens first' },
] as const

interface StepTokensProps {
  table: TraceTable
  /** Grows with every change of the table. */
  version: number
  onOpen: (id: number) => void
}

/** What each model call of an execution used; only the rows in view exist. */
export function StepTokens({ table, version, onOpen }: StepTokensProps) {
  const [order, setOrder] = useState<CallOrder>('time')
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () => modelCalls(table, order),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the table is changed in place; its version says when
    [table, version, order],
  )
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  if (rows.length === 0) return null
  return (
    <Panel title="By step" actions={<Segmented label="Order" options={ORDERS} value={order} onChange={setOrder} />}>
      <div
        ref={scroller}
        className="rows rows-steps"
        role="table"
        aria-label="Tokens by step"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
      >
        <Head />
        <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Step key={rows[index]} {...{ table, index, onOpen }} row={rows[index] as number} top={start} />
          ))}
        </div>
      </div>
      <p className="dim">{formatCount(rows.length)} model calls, each as its event tells, those that failed too.</p>
    </Panel>
  )
}

function Head() {
  return (
    <div role="row" className="row row-head row-step" aria-rowindex={1}>
      {['Model', 'Agent', 'From the start', 'Took', 'In', 'Out', 'Total'].map((label, index) => (
        <span key={label} role="columnheader" className={index > 1 ? 'cell right' : 'cell'}>
          {label}
        </span>
      ))}
    </div>
  )
}

interface StepProps {
  table: TraceTable
  row: number
  index: number
  top: number
  onOpen: (id: number) => void
}

function Step({ table, row, index, top, onOpen }: StepProps) {
  const [sent, got] = [table.promptTokens[row] ?? 0, table.completionTokens[row] ?? 0]
  const ms = table.duration[row] ?? -1
  const numbers = [
    `+${durationText(table.start[row] as number)}`,
    ms < 0 ? '' : durationText(ms),
    ...[sent, got, sent + got].map(formatCount),
  ]
  return (
    <div role="row" className="row row-step" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      <span role="cell" className="cell">
        <button type="button" className="link" onClick={() => onOpen(table.id[row] as number)}>
          {table.name[row]}
        </button>
      </span>
      <span role="cell" className="cell">
        {table.agent[row]}
      </span>
      {numbers.map((text, at) => (
        <span key={at} role="cell" className="cell number right">
          {text}
        </span>
      ))}
    </div>
  )
}
