import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'

/** Height of a row; styles/rows.css has the same. */
const ROW_PX = { event: 30, group: 46 }

interface MovingRowsProps<Item> {
  label: string
  /** The newest first. */
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  /** An event in a line, or those of an execution in two. */
  kind: keyof typeof ROW_PX
  /** The cells of a row. */
  cells: (item: Item) => ReactNode[]
}

/** Rows to which new ones come at the top; what a reader looks at stays where it is. */
export function MovingRows<Item>({ label, items, keyOf, kind, cells }: MovingRowsProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX[kind],
    overscan: 10,
    getItemKey: (index) => keyOf(items[index] as Item),
  })
  useKeepPlace(scroller, items, keyOf, ROW_PX[kind])
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
