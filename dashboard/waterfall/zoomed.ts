import type { TimeWindow } from './time-axis.ts'

/** The least that is shown of a timeline. */
export const LEAST_MS = 1

interface Zoom {
  /** Of the whole axis. */
  length: number
  /** The place that stays where it is. */
  at: number
  /** How many times as much is shown. */
  factor: number
}

/** More or less of the time than `shown`; undefined where that is all of it. */
export function zoomed({ from, to }: TimeWindow, { length, at, factor }: Zoom): TimeWindow | undefined {
  const span = Math.max(LEAST_MS, (to - from) * factor)
  if (span >= length) return undefined
  const start = Math.min(length - span, Math.max(0, at - ((at - from) / (to - from)) * span))
  return { from: start, to: start + span }
}
