import { durationText } from '../../client/index.ts'
import type { Stretch } from './idle-gaps.ts'

/** The part of the time axis that is shown. */
export interface TimeWindow {
  from: number
  to: number
}

/** Where moments lie on a timeline that shows some stretches of time shorter than they were. */
export interface TimeAxis {
  /** Its length. */
  length: number
  /** Where a moment lies, in milliseconds from the beginning. */
  at: (ms: number) => number
  /** Which moment lies at a place: the way back. */
  timeAt: (place: number) => number
  /** The stretches that are shown short, where they lie, and how long they were. */
  gaps: (Stretch & { ms: number })[]
}

/** Steps between marks, of which the one that gives about five marks is taken. */
const FACTORS = [1, 2, 5]
const MARKS = 5
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Above ten seconds it is counted as clocks do. */
const CLOCK_STEPS_MS = [
  ...[15_000, 30_000],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR_MS),
]

/** How long a gap is shown, as a share of all that is no gap. */
const GAP_SHARE = 0.06

/** An axis of `endMs` on which each of the gaps, which are in order, takes little room. */
export function timeAxis(endMs: number, gaps: readonly Stretch[]): TimeAxis {
  const idleMs = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  const shortMs = Math.max(1, (endMs - idleMs) * GAP_SHARE)
  // Pairs of a moment and its place; between two of them both run evenly.
  const marks: [ms: number, place: number][] = [[0, 0]]
  const placed: TimeAxis['gaps'] = []
  let saved = 0
  for (const { from, to } of gaps) {
    const place = from - saved
    saved += to - from - shortMs
    marks.push([from, place], [to, place + shortMs])
    placed.push({ from: place, to: place + shortMs, ms: to - from })
  }
  marks.push([endMs, endMs - saved])
  return {
    length: endMs - saved,
    at: (ms) => between(marks, ms, 0),
    timeAt: (place) => between(marks, place, 1),
    gaps: placed,
  }
}

/** The other half of the pair that lies at `value`; beyond the last mark it goes on evenly. */
function between(marks: [number, number][], value: number, side: 0 | 1): number {
  let index = 1
  while (index < marks.length - 1 && (marks[index] as [number, number])[side] < value) index += 1
  const before = marks[index - 1] as [number, number]
  const after = marks[index] as [number, number]
  const other = side === 0 ? 1 : 0
  const span = after[side] - before[side]
  const share = span === 0 ? 0 : (value - before[side]) / span
  return before[other] + share * (after[other] - before[other])
}

/** What a mark says: what is nothing is left out of it. */
export function markText(ms: number): string {
  return ms === 0 ? '0' : durationText(ms).replace(/ 0 \w+$/, '')
}

/** The step between marks: round in the units that it is told in. */
export function stepOf(span: number): number {
  const rough = Math.max(1, span / MARKS)
  const step = CLOCK_STEPS_MS.find((each) => each >= rough)
  if (rough > 10_000 && step !== undefined) return step
  const unit = rough > 10_000 ? DAY_MS : 1
  const power = 10 ** Math.floor(Math.log10(rough / unit))
  const factor = FACTORS.find((each) => each * power * unit >= rough) ?? 10
  return factor * power * unit
}
