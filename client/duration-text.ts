const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Formats a duration: `12 ms`, `3.45 s`, `2 min 5 s`, `1 h 4 min`, `2 d 3 h`. */
export function durationText(ms: number): string {
  if (Math.round(ms) < SECOND_MS) return `${Math.round(ms)} ms`
  // Rounds first, so that 59.96 s is shown as a minute and not as 60.0 s.
  if (ms < 9.995 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(2)} s`
  if (ms < 59.95 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`
  const whole = Math.round(ms / SECOND_MS) * SECOND_MS
  if (whole < HOUR_MS) return `${Math.floor(whole / MINUTE_MS)} min ${(whole % MINUTE_MS) / SECOND_MS} s`
  if (whole < DAY_MS) return `${Math.floor(whole / HOUR_MS)} h ${Math.floor((whole % HOUR_MS) / MINUTE_MS)} min`
  return `${Math.floor(whole / DAY_MS)} d ${Math.floor((whole % DAY_MS) / HOUR_MS)} h`
}
