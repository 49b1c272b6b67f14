import { TroupeError } from '../../core/errors.ts'
import { isoTime, timeAgo } from '../../core/moment.ts'

const NANOSECONDS = 1_000_000_000n

/**
 * Converts `since` of a query to the format of the container engine: Unix time, `<seconds>.<nine digits>`, of the first
 * nanosecond to include. A duration (`30s`, `5m`, `1h30m`, `2d`) counts back from `now`. An ISO 8601 time is exclusive, so
 * one nanosecond is added. Times before 1970 become 1970.
 * @throws TroupeError bad_request that names the field.
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

/** Converts the ISO 8601 timestamp of a log entry to Unix time, `<seconds>.<nine digits>`; undefined when invalid. */
export function stampToUnixTime(stamp: string): string | undefined {
  const nanoseconds = isoTime(stamp)
  return nanoseconds === undefined ? undefined : unixTime(nanoseconds)
}

function unixTime(nanoseconds: bigint): string {
  const counted = nanoseconds > 0n ? nanoseconds : 0n
  return `${counted / NANOSECONDS}.${String(counted % NANOSECONDS).padStart(9, '0')}`
}
