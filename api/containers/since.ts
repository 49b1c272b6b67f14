import { TroupeError } from '../../core/errors.ts'

const SECONDS = { s: 1n, m: 60n, h: 3600n, d: 86_400n } as const
const NANOSECONDS = 1_000_000_000n
const duration = /^(?:\d+[smhd])+$/
const part = /(\d+)([smhd])/g
// A "+" that a client forgot to encode arrives as a space, and a date without a zone is UTC like all times here.
const moment = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/

/**
 * What a query means by `since`, as the container engine wants it: Unix time, `<seconds>.<nine digits>`, the first
 * nanosecond that counts. A duration (`30s`, `5m`, `1h30m`, `2d`) counts back from `now`; an ISO 8601 time means all
 * after it, so one nanosecond is added. Times before 1970 become 1970.
 * @throws TroupeError bad_request naming the field.
 */
export function parseSince(text: string, now: Date): string {
  if (duration.test(text)) {
    const seconds = [...text.matchAll(part)].reduce(
      (sum, [, count, unit]) => sum + BigInt(count ?? 0) * SECONDS[unit as keyof typeof SECONDS],
      0n,
    )
    return unixTime(BigInt(now.getTime()) * 1_000_000n - seconds * NANOSECONDS)
  }
  const nanoseconds = unixNanoseconds(text)
  if (nanoseconds === undefined) {
    throw new TroupeError(
      'bad_request',
      'since must be a duration such as 30s, 5m, 1h or 2d, or an ISO 8601 time such as 2030-01-31T12:00:00Z.',
    )
  }
  return unixTime(nanoseconds + 1n)
}

/** A log entry's stamp (ISO 8601) as Unix time, `<seconds>.<nine digits>`; undefined for what is no time. */
export function stampToUnixTime(stamp: string): string | undefined {
  const nanoseconds = unixNanoseconds(stamp)
  return nanoseconds === undefined ? undefined : unixTime(nanoseconds)
}

function unixNanoseconds(text: string): bigint | undefined {
  const match = moment.exec(text)
  if (match === null) return undefined
  const [
    ,
    date = '',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    sign,
    zoneHour = '0',
    zoneMinute = '0',
  ] = match
  const milliseconds = Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  // Date.parse takes the 30th of February for a day of March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) return undefined
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined
  const zoneSeconds = BigInt(zoneHour) * SECONDS.h + BigInt(zoneMinute) * SECONDS.m
  const seconds = BigInt(milliseconds / 1000) + (sign === '-' ? zoneSeconds : -zoneSeconds)
  return seconds * NANOSECONDS + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
}

function unixTime(nanoseconds: bigint): string {
  const counted = nanoseconds > 0n ? nanoseconds : 0n
  return `${counted / NANOSECONDS}.${String(counted % NANOSECONDS).padStart(9, '0')}`
}
