const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(?:\d{1,9}[smhd])+$/
const PART = /(\d+)([smhd])/g
const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+ -]\d\d:\d\d)?)?$/

/**
 * The moment that a filter means: an ISO 8601 time (UTC where it names no zone), or a duration such as `90s`, `1h30m` or
 * `2d` that counts back from `now`.
 * @returns undefined for what is neither.
 */
export function momentOf(text: string, now: Date): Date | undefined {
  if (DURATION.test(text)) {
    const backMs = [...text.matchAll(PART)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS],
      0,
    )
    return new Date(Math.max(0, now.getTime() - backMs))
  }
  if (!ISO.test(text)) return undefined
  // A "+" that a client forgot to encode arrives as a space.
  const time = text.replace(' ', '+')
  // Date takes the 30th of February for a day of March.
  const [day = ''] = time.split('T')
  if (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return undefined
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(time) || !time.includes('T') ? time : `${time}Z`
  const moment = new Date(zoned)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
