import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { TraceState } from '../live/trace-store.ts'
import { Empty } from '../parts/panel.tsx'
import { Minimap } from './minimap.tsx'
import { TimelineBar } from './timeline-bar.tsx'
import { TimelineRow } from './timeline-row.tsx'
import type { TraceTable } from './trace-table.ts'
import { useTimelineKeys } from './use-timeline-keys.ts'
import { visibleRows } from './visible-rows.ts'

const ROW_PX = 28
const OVERSCAN = 8

interface TimelineProps {
  trace: TraceState
  find: string
  errorsOnly: boolean
  onFind: (find: string) => void
  onErrorsOnly: (errorsOnly: boolean) => void
  /** The event that is open. */
  span: number | undefined
  onOpen: (id: number) => void
}

/** A part of the time that is shown, in milliseconds from the beginning. */
export interface TimeWindow {
  from: number
  to: number
}

/** All events of an execution as a tree with bars; only the rows in view exist. */
export function Timeline(props: TimelineProps) {
  const { trace, find, errorsOnly, span, onOpen } = props
  const { table, version } = trace
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [zoom, setZoom] = useState<TimeWindow>()
  const [active, setActive] = useState(() => (span === undefined ? 0 : (table.rowOf(span) ?? 0)))
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the table is changed in place; its version says when
  const rows = useMemo(() => visibleRows(table, { collapsed, text: find, errorsOnly }), [version, collapsed, find, errorsOnly])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  })
  const shown = zoom ?? { from: 0, to: Math.max(1, table.endMs) }
  function toggle(row: number, open: boolean): void {
    const next = new Set(collapsed)
    if (open) next.delete(row)
    else next.add(row)
    setCollapsed(next)
  }
  function go(index: number): void {
    const row = rows[index]
    if (row === undefined) return
    setActive(row)
    virtual.scrollToIndex(index)
  }
  const onKey = useTimelineKeys({ table, rows, active, collapsed, toggle, go, onOpen })
  const position = rows.indexOf(active)
  return (
    <div className="timeline" data-version={version} data-events={table.size}>
      <TimelineBar {...props} zoom={zoom} shown={shown} onZoom={setZoom} rowCount={rows.length} onAll={setCollapsed} />
      <Minimap table={table} version={version} zoom={zoom} onZoom={setZoom} />
      {rows.length === 0 && <NoRows table={table} />}
      <div
        ref={scroller}
        className="timeline-rows"
        role="treegrid"
        aria-label="Events"
        aria-rowcount={rows.length}
        aria-activedescendant={position === -1 ? undefined : `event-${table.id[active]}`}
        tabIndex={0}
        onKeyDown={(event: KeyboardEvent) => onKey(event)}
      >
        <div role="presentation" className="timeline-canvas" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as number
            return (
              <TimelineRow
                key={table.id[row]}
                table={table}
                row={row}
                index={index}
                top={start}
                shown={shown}
                isActive={row === active}
                isOpen={table.id[row] === span}
                isCollapsed={collapsed.has(row)}
                onToggle={toggle}
                onSelect={() => {
                  setActive(row)
                  onOpen(table.id[row] as number)
                }}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function NoRows({ table }: { table: TraceTable }) {
  if (table.size === 0) return <Empty title="No event yet.">What the agent does will appear here as it happens.</Empty>
  return <Empty title="No event fits the filter." />
}
