import type { TimeAxis, TimeWindow } from './time-axis.ts'

/** What marks gaps behind all bars: one background for all rows, instead of an element a row. */
export function gapStripes({ gaps }: TimeAxis, { from, to }: TimeWindow): string {
  if (gaps.length === 0) return 'none'
  const share = (place: number): string => `${(((place - from) / (to - from)) * 100).toFixed(3)}%`
  const stops = gaps.map((gap) => {
    const [begin, end] = [share(gap.from), share(gap.to)]
    return `transparent ${begin}, var(--line) ${begin}, var(--line) ${end}, transparent ${end}`
  })
  return `linear-gradient(to right, ${stops.join(', ')})`
}
