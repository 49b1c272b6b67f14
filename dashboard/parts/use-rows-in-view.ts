import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type RefObject } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'

/** Of the usual height; styles/rows.css has the same. Less would leave no room to hit a row's button. */
const DENSE = 0.86

interface RowsInViewOptions {
  count: number
  scroller: RefObject<HTMLDivElement | null>
  /** Usual height of a row. */
  rowPx: number
  overscan: number
}

/** The rows of a list that are in view, as dense as was chosen. */
export function useRowsInView({ count, scroller, rowPx, overscan }: RowsInViewOptions) {
  const { dense } = useStore(preferences)
  const size = dense ? Math.round(rowPx * DENSE) : rowPx
  const measured = useRef(size)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    overscan,
  })
  useEffect(() => {
    if (measured.current !== size) virtual.measure()
    measured.current = size
  }, [virtual, size])
  return virtual
}
