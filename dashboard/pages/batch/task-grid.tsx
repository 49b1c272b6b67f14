import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { formatCount } from '../../parts/format.ts'
import { themeColor } from '../../parts/theme-color.ts'
import type { TASK_STATES } from '../../search.ts'

const WORDS: Record<string, string> = { w: 'waiting', r: 'running', s: 'succeeded', e: 'failed', c: 'canceled' }
const STATES = { w: 'waiting', r: 'running', s: 'completed', e: 'failed', c: 'canceled' } as const
const COLORS: Record<string, string> = { w: '--waiting', r: '--running', s: '--ok', e: '--failed', c: '--canceled' }
/** Sizes of a cell; the largest with which all cells fit is taken. */
const SIZES = [14, 10, 7, 5, 4, 3]
const MAX_HEIGHT = 240

interface TaskGridProps {
  letters: string
  onOpen: (index: number) => Promise<void>
  /** Lists the tasks that are in a state. */
  onState: (state: (typeof TASK_STATES)[number]) => void
}

/** Every task of a batch as a cell. One picture, however many: 50,000 cells are drawn in a millisecond. */
export function TaskGrid({ letters, onOpen, onState }: TaskGridProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const [active, setActive] = useState(0)
  const size =
    SIZES.find((px) => Math.ceil(letters.length / Math.max(1, Math.floor(width / px))) * px <= MAX_HEIGHT) ?? 3
  const columns = Math.max(1, Math.floor(width / size))
  const rows = Math.ceil(letters.length / columns)
  // Before the page is painted: what is below must not move.
  useLayoutEffect(() => {
    if (canvas.current !== null && width > 0) draw(canvas.current, { letters, columns, rows, size, active })
  }, [letters, columns, rows, size, active, width])
  function cellAt({ nativeEvent }: MouseEvent): number {
    return Math.floor(nativeEvent.offsetY / size) * columns + Math.floor(nativeEvent.offsetX / size)
  }
  function onKey(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowRight: active + 1,
      ArrowLeft: active - 1,
      ArrowDown: active + columns,
      ArrowUp: active - columns,
      Home: 0,
      End: letters.length - 1,
    }
    const move = moves[event.key]
    if (event.key === 'Enter') return void onOpen(active)
    if (move === undefined) return
    event.preventDefault()
    setActive(Math.min(letters.length - 1, Math.max(0, move)))
  }
  return (
    <div className="grid">
      <canvas
        ref={canvas}
        role="application"
        tabIndex={0}
        aria-label={`Task ${active + 1} of ${letters.length}: ${WORDS[letters[active] ?? ''] ?? 'none'}. Arrows lead to others, Enter opens it.`}
        onKeyDown={onKey}
        onMouseMove={(event) => setActive(Math.min(letters.length - 1, cellAt(event)))}
        onClick={(event) => {
          const cell = cellAt(event)
          if (cell < letters.length) void onOpen(cell)
        }}
      />
      <Legend letters={letters} active={active} onState={onState} />
    </div>
  )
}

function Legend({ letters, active, onState }: Pick<TaskGridProps, 'letters' | 'onState'> & { active: number }) {
  return (
    <div className="grid-legend">
      <span className="number" role="status">
        #{formatCount(active + 1)} {WORDS[letters[active] ?? ''] ?? ''}
      </span>
      <span className="spacer" />
      {Object.entries(STATES).map(([letter, state]) => (
        <button
          key={letter}
          type="button"
          className="chart-key quiet"
          data-letter={letter}
          title={`List the tasks that are ${state}`}
          onClick={() => onState(state)}
        >
          <span className="chart-swatch" aria-hidden="true" />
          {WORDS[letter]}
        </button>
      ))}
    </div>
  )
}

/** How wide the box around a picture is. */
function useWidth(canvas: React.RefObject<HTMLCanvasElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = canvas.current?.parentElement
    if (element == null) return
    setWidth(Math.floor(element.clientWidth))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [canvas])
  return width
}

interface Picture {
  letters: string
  columns: number
  rows: number
  size: number
  active: number
}

/** A pixel a task, scaled up: drawing each cell on its own would cost a hundred times as much. */
function draw(canvas: HTMLCanvasElement, { letters, columns, rows, size, active }: Picture): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  canvas.width = columns * size
  canvas.height = Math.max(1, rows * size)
  const colors = Object.fromEntries(Object.entries(COLORS).map(([letter, name]) => [letter, rgbOf(canvas, name)]))
  const image = new ImageData(columns, Math.max(1, rows))
  const pixels = new Uint32Array(image.data.buffer)
  for (let index = 0; index < letters.length; index += 1) pixels[index] = colors[letters[index] as string] ?? 0
  const small = new OffscreenCanvas(columns, Math.max(1, rows))
  small.getContext('2d')?.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(small, 0, 0, canvas.width, canvas.height)
  if (size >= 5) separate(context, canvas, size, themeColor(canvas, '--surface'))
  context.strokeStyle = themeColor(canvas, '--text')
  context.lineWidth = 2
  context.strokeRect((active % columns) * size, Math.floor(active / columns) * size, size, size)
}

function separate(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement, size: number, color: string): void {
  context.fillStyle = color
  for (let x = size - 1; x < canvas.width; x += size) context.fillRect(x, 0, 1, canvas.height)
  for (let y = size - 1; y < canvas.height; y += size) context.fillRect(0, y, canvas.width, 1)
}

/** A color of the theme as the little-endian number that a picture holds. */
function rgbOf(canvas: HTMLCanvasElement, name: string): number {
  const [red = 0, green = 0, blue = 0] = (themeColor(canvas, name).match(/\d+/g) ?? []).map(Number)
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}
