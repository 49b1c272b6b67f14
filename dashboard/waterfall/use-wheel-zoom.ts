import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { TimeWindow } from './time-axis.ts'
import { zoomed } from './zoomed.ts'

/** Of a pixel of the wheel. */
const FACTOR = 1.002
/** Browsers refuse an address that changes with each step of a wheel. */
const REST_MS = 200

interface WheelZoomOptions {
  scroller: RefObject<HTMLElement | null>
  /** What the address asks for, as places on the axis; undefined: all. */
  asked: TimeWindow | undefined
  length: number
  /** Told once the wheel rests. */
  onZoom: (zoom: TimeWindow | undefined) => void
}

/**
 * With Ctrl, which a pinch on a touchpad sends too, the wheel shows more or less of the time around the pointer.
 * @returns what is shown: all where it is undefined
 */
export function useWheelZoom({ scroller, asked, length, onZoom }: WheelZoomOptions): TimeWindow | undefined {
  const key = `${asked?.from} ${asked?.to}`
  const [turned, setTurned] = useState<{ zoom: TimeWindow; key: string }>()
  const timer = useRef<number>(undefined)
  // What the wheel showed holds until the address says the same, or another.
  const zoom = turned?.key === key ? turned.zoom : asked
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const bars = scroller.current?.querySelector('.timeline-bars')?.getBoundingClientRect()
    if (!(event.ctrlKey || event.metaKey) || bars === undefined) return
    event.preventDefault()
    const shown = zoom ?? { from: 0, to: length }
    const share = Math.min(1, Math.max(0, (event.clientX - bars.left) / bars.width))
    const at = shown.from + share * (shown.to - shown.from)
    const next = zoomed(shown, { length, at, factor: FACTOR ** event.deltaY })
    setTurned({ zoom: next ?? { from: 0, to: length }, key })
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      if (next === undefined) setTurned(undefined)
      onZoom(next)
    }, REST_MS)
  })
  useEffect(() => {
    const element = scroller.current
    // React's own listeners cannot keep the page from being scaled.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      element?.removeEventListener('wheel', onWheel)
      clearTimeout(timer.current)
    }
  }, [scroller])
  return zoom
}
