import { useEffect, useState, type RefObject } from 'react'
import { durationText } from '../../client/index.ts'
import type { TimeAxis, TimeWindow } from './time-axis.ts'

interface CrosshairProps {
  scroller: RefObject<HTMLElement | null>
  axis: TimeAxis
  shown: TimeWindow
}

/** A line through all bars where the pointer is, and the time there. */
export function Crosshair({ scroller, axis, shown }: CrosshairProps) {
  const [at, setAt] = useState<{ px: number; share: number }>()
  useEffect(() => {
    const element = scroller.current
    const move = ({ clientX, pointerType }: PointerEvent): void => {
      const bars = element?.querySelector('.timeline-bars')?.getBoundingClientRect()
      const isOver = bars !== undefined && clientX >= bars.left && clientX <= bars.right && pointerType !== 'touch'
      const left = element?.getBoundingClientRect().left ?? 0
      setAt(isOver ? { px: clientX - left, share: (clientX - bars.left) / bars.width } : undefined)
    }
    const leave = (): void => setAt(undefined)
    element?.addEventListener('pointermove', move, { passive: true })
    element?.addEventListener('pointerleave', leave)
    return () => {
      element?.removeEventListener('pointermove', move)
      element?.removeEventListener('pointerleave', leave)
    }
  }, [scroller])
  if (at === undefined) return null
  const ms = axis.timeAt(shown.from + at.share * (shown.to - shown.from))
  return (
    <div className="crosshair" aria-hidden="true" style={{ left: at.px }}>
      <span className="number" data-left={at.share > 0.8 || undefined}>
        {durationText(Math.max(0, ms))}
      </span>
    </div>
  )
}
