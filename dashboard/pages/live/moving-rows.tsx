import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useNarrow } from '../../parts/use-narrow.ts'

/** Height of a row of one line and of two; styles/rows.css has the same. */
const LINE_PX = 30
const LINES_PX = 46

interface MovingRowsProps<Item> {
  label: string
  /** The newest first. */
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  /** An event in a line, on a phone in two, or those of an execution in two. */
  kind: 'event' | 'group'
  /** The cells of a row. */
  cells: (item: Item) => ReactNode[]
}

/** Rows to which new ones come at the top; what a reader looks at stays where it is. */
export function MovingRows<Item>({ label, items, keyOf, kind, cells }: MovingRowsProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const rowPx = kind === 'event' && !narrow ? LINE_PX : LINES_PX
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
    getItemKey: (index) => keyOf(items[index] as Item),
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  useKeepPlace(scroller, items, keyOf, rowPx)
  return (
    <div ref={scroller} className="rows" role="table" aria-label={label} aria-rowcount={items.length} tabIndex={0}>
      <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div key={key} role="row" className={`row row-${kind}`} style={{ transform: `translateY(${start}px)` }}>
            {cells(items[index] as Item).map((cell, column) => (
              <span key={column} role="cell" className="cell">
                {cell}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** However many rows come in above what a reader looks at. */
function useKeepPlace<Item>(
  scroller: RefObject<HTMLDivElement | null>,
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  rowPx: number,
): void {
  const first = items[0]
  const newest = useRef(first && keyOf(first))
  useEffect(() => {
    const added = items.findIndex((item) => keyOf(item) === newest.current)
    newest.current = items[0] && keyOf(items[0])
    const element = scroller.current
    if (element === null || element.scrollTop === 0 || added <= 0) return
    element.scrollTop += added * rowPx
  }, [items, keyOf, scroller, rowPx])
}
