import { formatDuration } from '../parts/format.ts'
import type { TimeWindow } from './timeline.tsx'

/** Steps between marks, of which the one that gives about five marks is taken. */
const FACTORS = [1, 2, 5]
const MARKS = 5

/** Marks of time above the bars. */
export function TimeScale({ shown }: { shown: TimeWindow }) {
  const span = shown.to - shown.from
  const step = stepOf(span)
  const first = Math.ceil(shown.from / step) * step
  const marks = Array.from({ length: Math.floor((shown.to - first) / step) + 1 }, (_, index) => first + index * step)
  return (
    <div className="time-scale" aria-hidden="true">
      <div className="time-marks">
        {marks.map((at) => (
          <span key={at} style={{ left: `${((at - shown.from) / span) * 100}%` }}>
            {at === 0 ? '0' : formatDuration(at)}
          </span>
        ))}
      </div>
    </div>
  )
}

function stepOf(span: number): number {
  const rough = Math.max(1, span / MARKS)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = FACTORS.find((each) => each * power >= rough) ?? 10
  return factor * power
}
