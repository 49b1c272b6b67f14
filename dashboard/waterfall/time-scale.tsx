import { durationText } from '../../client/index.ts'
import { markText, stepOf, type TimeAxis, type TimeWindow } from './time-axis.ts'

/** Nearer to the right edge a mark would be cut off. */
const LAST_SHARE = 0.93

interface TimeScaleProps {
  axis: TimeAxis
  shown: TimeWindow
}

/** Marks of time above the bars; gaps that are shown short tell how long they were. */
export function TimeScale({ axis, shown }: TimeScaleProps) {
  const span = shown.to - shown.from
  const shareOf = (place: number): number => (place - shown.from) / span
  const inGap = (place: number): boolean =>
    axis.gaps.some(({ from }) => place > from - span / 16 && place < from + span / 16)
  const step = stepOf(span)
  const first = Math.ceil(shown.from / step) * step
  const marks = Array.from({ length: Math.floor((shown.to - first) / step) + 1 }, (_, index) => first + index * step)
  return (
    <div className="time-scale" aria-hidden="true">
      <div className="time-marks">
        {marks
          .filter((place) => shareOf(place) <= LAST_SHARE && !inGap(place))
          .map((place) => (
            <span key={place} style={{ left: `${shareOf(place) * 100}%` }}>
              {markText(axis.timeAt(place))}
            </span>
          ))}
        {axis.gaps
          .filter(({ from, to }) => from >= shown.from && to <= shown.to)
          .map(({ from, ms }) => (
            <span key={from} className="time-gap" style={{ left: `${shareOf(from) * 100}%` }}>
              ⋯ {durationText(ms)}
            </span>
          ))}
      </div>
    </div>
  )
}
