import { useEffect, useRef, type PointerEvent } from 'react'
import { themeColor } from '../parts/theme-color.ts'
import type { TimeAxis, TimeWindow } from './time-axis.ts'
import type { TraceTable } from './trace-table.ts'

const HEIGHT = 36
/** A shorter stretch is a click, not a selection. */
const MIN_SHARE = 0.01

interface MinimapProps {
  table: TraceTable
  version: number
  axis: TimeAxis
  zoom: TimeWindow | undefined
  onZoom: (zoom: TimeWindow | undefined) => void
}

/** Where in time events are, and failures among them; a stretch of it can be drawn to be shown alone. */
export function Minimap({ table, version, axis, zoom, onZoom }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const from = useRef<number>(undefined)
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, table, axis, zoom)
  }, [table, version, axis, zoom])
  const shareOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  return (
    <canvas
      ref={canvas}
      className="minimap"
      height={HEIGHT}
      aria-hidden="true"
      onPointerDown={(event) => {
        from.current = shareOf(event)
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerUp={(event) => {
        const [start = 0, end = 0] = [from.current ?? 0, shareOf(event)].sort((one, other) => one - other)
        onZoom(end - start < MIN_SHARE ? undefined : { from: start * axis.length, to: end * axis.length })
      }}
    />
  )
}

function draw(canvas: HTMLCanvasElement, table: TraceTable, axis: TimeAxis, zoom: TimeWindow | undefined): void {
  const width = Math.max(1, canvas.clientWidth)
  canvas.width = width
  const context = canvas.getContext('2d')
  if (context === null) return
  const whole = axis.length
  const counts = new Uint32Array(width)
  const failures = new Uint32Array(width)
  for (let row = 0; row < table.size; row += 1) {
    const column = Math.min(width - 1, Math.floor((axis.at(table.start[row] as number) / whole) * width))
    counts[column] = (counts[column] as number) + 1
    if (table.failed[row]) failures[column] = (failures[column] as number) + 1
  }
  const most = Math.log1p(counts.reduce((one, other) => Math.max(one, other), 1))
  const [failed, accent] = [themeColor(canvas, '--failed'), themeColor(canvas, '--accent')]
  for (let column = 0; column < width; column += 1) {
    const height = (Math.log1p(counts[column] as number) / most) * (HEIGHT - 4)
    context.fillStyle = (failures[column] as number) > 0 ? failed : accent
    context.fillRect(column, HEIGHT - height, 1, height)
  }
  if (zoom === undefined) return
  context.fillStyle = themeColor(canvas, '--veil')
  context.fillRect(0, 0, (zoom.from / whole) * width, HEIGHT)
  context.fillRect((zoom.to / whole) * width, 0, width, HEIGHT)
}
