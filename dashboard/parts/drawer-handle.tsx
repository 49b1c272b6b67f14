import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'

const LEAST_PX = 360
const STEP_PX = 40

/** How wide a drawer may be in this window. */
function bounded(px: number): number {
  return Math.round(Math.max(LEAST_PX, Math.min(px, innerWidth - STEP_PX)))
}

/** The left edge of a drawer: drawn, or moved by the arrow keys, it makes it wider; the width is kept on the device. */
export function DrawerHandle() {
  const { drawerPx } = useStore(preferences)
  const [drawn, setDrawn] = useState(false)
  const setWidth = (px: number): void => preferences.update({ drawerPx: bounded(px) })
  function begin({ currentTarget, pointerId }: PointerEvent): void {
    currentTarget.setPointerCapture(pointerId)
    setDrawn(true)
  }
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setWidth(drawerPx + step)
  }
  return (
    <div
      className="drawer-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the drawer"
      aria-valuemin={LEAST_PX}
      aria-valuenow={drawerPx}
      tabIndex={0}
      onKeyDown={onKey}
      onPointerDown={begin}
      onPointerMove={({ clientX }) => drawn && setWidth(innerWidth - clientX)}
      onPointerUp={() => setDrawn(false)}
      onPointerCancel={() => setDrawn(false)}
    />
  )
}
