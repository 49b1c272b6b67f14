import { useState, type PointerEvent } from 'react'

const WIDTH = 600
const HEIGHT = 150

interface ChartLine {
  name: string
  /** Which color and pattern it has. */
  shape: string
  /** One for each label; null where there is none. */
  values: (number | null)[]
}

interface ChartProps {
  kind: 'stacked' | 'lines'
  labels: string[]
  lines: ChartLine[]
  format: (value: number) => string
  /** Told which labels were drawn over, the first and the last; one for a click. */
  onSelect?: (first: number, last: number) => void
}

/** A chart over time, with the same figures as a table for those who do not see it. */
export function Chart(props: ChartProps) {
  const { kind, labels, lines, format, onSelect } = props
  const { at, first, last, handlers } = usePointed(labels.length, onSelect)
  const most = Math.max(1e-9, ...labels.map((_, index) => topOf(props, index)))
  return (
    <div className="chart">
      <div className="chart-legend">
        <span className="dim number">
          {at === undefined ? (kind === 'stacked' ? 'in all' : 'last') : labelOf(labels, first, last)}
        </span>
        {lines.map(({ name, shape, values }) => (
          <span key={name} className="chart-key" data-shape={shape}>
            <span className="chart-swatch" aria-hidden="true" />
            {name}{' '}
            <span className="number">
              {textOf(wholeOf(kind, at === undefined ? values : values.slice(first, last + 1)), format)}
            </span>
          </span>
        ))}
        <span className="spacer" />
        <span className="dim number">max {format(most < 1e-6 ? 0 : most)}</span>
      </div>
      <svg
        className="chart-picture"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        data-selectable={onSelect !== undefined || undefined}
        {...handlers}
      >
        {onSelect !== undefined && <title>Click, or draw over a time: what was submitted then</title>}
        {[0.25, 0.5, 0.75].map((share) => (
          <line key={share} className="chart-grid" x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} />
        ))}
        {at !== undefined && (
          <rect
            className="chart-cursor"
            x={(first / labels.length) * WIDTH}
            width={((last - first + 1) / labels.length) * WIDTH}
            y="0"
            height={HEIGHT}
          />
        )}
        {kind === 'stacked' ? <Stacks lines={lines} most={most} /> : <Lines lines={lines} most={most} />}
      </svg>
      <div className="chart-axis dim number" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>{labels[Math.floor(labels.length / 2)]}</span>
        <span>{labels.at(-1)}</span>
      </div>
      <ChartTable {...props} />
    </div>
  )
}

/** Which places of a chart are pointed at or drawn over. */
function usePointed(count: number, onSelect: ChartProps['onSelect']) {
  const [at, setAt] = useState<number>()
  const [begun, setBegun] = useState<number>()
  function placeOf({ clientX, currentTarget }: PointerEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)))
  }
  function leave(): void {
    setAt(undefined)
    setBegun(undefined)
  }
  function select(event: PointerEvent): void {
    const place = placeOf(event)
    setBegun(undefined)
    if (begun !== undefined) onSelect?.(Math.min(begun, place), Math.max(begun, place))
  }
  return {
    at,
    first: Math.min(at ?? 0, begun ?? at ?? 0),
    last: Math.max(at ?? 0, begun ?? 0),
    handlers: {
      onPointerMove: (event: PointerEvent) => setAt(placeOf(event)),
      onPointerDown: (event: PointerEvent) => setBegun(placeOf(event)),
      onPointerUp: select,
      onPointerLeave: leave,
      onPointerCancel: leave,
    },
  }
}

/** The times that are pointed at. */
function labelOf(labels: string[], first: number, last: number): string {
  return first === last ? (labels[first] ?? '') : `${labels[first]} – ${labels[last]}`
}

/** What is said of a line, or of the part of it that is pointed at: its sum, or its last value. */
function wholeOf(kind: ChartProps['kind'], values: (number | null)[]): number | null {
  if (kind === 'stacked') return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  return values.findLast((value) => value !== null) ?? null
}

function topOf({ kind, lines }: ChartProps, index: number): number {
  const values = lines.map(({ values: all }) => all[index] ?? 0)
  return kind === 'stacked' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

function Stacks({ lines, most }: { lines: ChartLine[]; most: number }) {
  const count = lines[0]?.values.length ?? 0
  const step = WIDTH / count
  return Array.from({ length: count }, (_, index) => {
    let below = 0
    return lines.map(({ name, shape, values }) => {
      const height = ((values[index] ?? 0) / most) * HEIGHT
      below += height
      if (height === 0) return null
      return (
        <rect
          key={`${name}-${index}`}
          className="chart-bar"
          data-shape={shape}
          x={index * step + step * 0.1}
          width={step * 0.8}
          y={HEIGHT - below}
          height={height}
        />
      )
    })
  })
}

function Lines({ lines, most }: { lines: ChartLine[]; most: number }) {
  return lines.map(({ name, shape, values }) => {
    const step = WIDTH / values.length
    let path = ''
    values.forEach((value, index) => {
      if (value === null) return
      const joined = index > 0 && values[index - 1] !== null
      const x = (index + 0.5) * step
      const y = HEIGHT - (value / most) * (HEIGHT - 4)
      // A value between gaps is a short stroke, or it would not be seen.
      path += joined ? `L${x} ${y}` : `M${x - step / 2} ${y}L${x + step / 2} ${y}`
    })
    return <path key={name} className="chart-line" data-shape={shape} d={path} vectorEffect="non-scaling-stroke" />
  })
}

function ChartTable({ labels, lines, format }: ChartProps) {
  return (
    <div className="visually-hidden">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={index}>
              <th scope="row">{label}</th>
              {lines.map(({ name, values }) => (
                <td key={name}>{textOf(values[index], format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
