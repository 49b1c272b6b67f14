import { TroupeError } from '../../core/errors.ts'
import { isoTime, timeAgo } from '../../core/moment.ts'

const NANOSECONDS = 1_000_000_000n

/**
 * What a query means by `since`, as the container engine wants it: Unix time, `<seconds>.<nine digits>`, the first
 * nanosecond that counts. A duration (`30s`, `5m`, `1h30m`, `2d`) counts back from `now`; an ISO 8601 time means all
 * after it, so one nanosecond is added. Times before 1970 become 1970.
 * @throws TroupeError bad_request naming the field.
 */
export function parseSince(text: string, now: Date): string {
  const ago = timeAgo(text, now)
  if (ago !== undefined) return unixTime(ago)
  const nanoseconds = isoTime(text)
  if (nanoseconds !== undefined) return unixTime(nanoseconds + 1n)
  throw new TroupeError(
    'bad_request',
    'since must be a duration such as 30s, 5m, 1h or 2d, or an ISO 8601 time such as 2030-01-31T12:00:00Z.',
  )
}

/** A log entry's stamp (ISO 8601) as Unix time, `<seconds>.<nine digits>`; undefined for what is no time. */
export function stampToUnixTime(stamp: string): string | undefined {
  const nanoseconds = isoTime(stamp)
  return nanoseconds === undefined ? undefined : unixTime(nanoseconds)
}

function unixTime(nanoseconds: bigint): string {
  const counted = nanoseconds > 0n ? nanoseconds : 0n
  return `${counted / NANOSECONDS}.${String(counted % NANOSECONDS).padStart(9, '0')}`
}
