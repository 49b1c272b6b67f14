const SECONDS = { s: 1n, m: 60n, h: 3_600n, d: 86_400n } as const
const NANOSECONDS = 1_000_000_000n
const MILLISECONDS = 1_000_000n
// Bounded, so that matching untrusted text takes constant time.
const DURATION = /^(?:\d{1,30}[smhd]){1,10}$/
const PART = /(\d+)([smhd])/g
// An unencoded "+" arrives as a space. A date without a zone is in UTC.
const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/

/**
 * Parses the time of a filter: an ISO 8601 time (UTC if it has no zone), or a duration such as `90s`, `1h30m` or `2d`
 * before `now`. Times before 1970 become 1970.
 * @returns undefined if the text is neither.
 */
export function momentOf(text: string, now: Date): Date | undefined {
  const nanoseconds = timeAgo(text, now) ?? isoTime(text)
  return nanoseconds === undefined ? undefined : new Date(Math.max(0, Number(nanoseconds / MILLISECONDS)))
}

/** Unix time in nanoseconds of a duration before `now`; undefined if the text is not a duration. */
export function timeAgo(text: string, now: Date): bigint | undefined {
  if (!DURATION.test(text)) return undefined
  const seconds = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + BigInt(count ?? 0) * SECONDS[unit as keyof typeof SECONDS],
    0n,
  )
  return BigInt(now.getTime()) * MILLISECONDS - seconds * NANOSECONDS
}

/** Unix time in nanoseconds of an ISO 8601 time; undefined if the text is not one. */
export function isoTime(text: string): bigint | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, date = '', hour = '00', minute = '00', second = '00', fraction = '', sign, ...zone] = match
  const [zoneHour = '0', zoneMinute = '0'] = zone
  const milliseconds = Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  // Date.parse accepts February 30 and returns a day in March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) return undefined
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined
  const zoneSeconds = BigInt(zoneHour) * SECONDS.h + BigInt(zoneMinute) * SECONDS.m
  const seconds = BigInt(milliseconds / 1_000) + (sign === '-' ? zoneSeconds : -zoneSeconds)
  return seconds * NANOSECONDS + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
}
