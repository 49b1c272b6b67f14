const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Which zone times are shown in. */
export type Zone = 'local' | 'utc'

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: Zone, parts: 'time' | 'full'): Intl.DateTimeFormat {
  const key = `${zone} ${parts}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
    ...(parts === 'full' ? ({ year: 'numeric', month: '2-digit', day: '2-digit' } as const) : {}),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  })
  formatters.set(key, made)
  return made
}

function partsOf(at: Date, zone: Zone, parts: 'time' | 'full'): Record<string, string> {
  return Object.fromEntries(
    formatter(zone, parts)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
}

/** A whole time: `2026-01-31 09:30:00.123`, with `Z` in UTC. The one formatter of every page. */
export function formatTime(iso: string | number, zone: Zone): string {
  const { year, month, day, hour, minute, second, fractionalSecond } = partsOf(new Date(iso), zone, 'full')
  return `${year}-${month}-${day} ${hour}:${minute}:${second}.${fractionalSecond}${zone === 'utc' ? 'Z' : ''}`
}

/** The time of a day: `09:30:00`, with milliseconds when they are wanted. */
export function formatClock(iso: string | number, zone: Zone, milliseconds = false): string {
  const { hour, minute, second, fractionalSecond } = partsOf(new Date(iso), zone, 'time')
  return `${hour}:${minute}:${second}${milliseconds ? `.${fractionalSecond}` : ''}`
}

/** How long ago: `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `5 d ago`. */
export function formatAgo(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  if (ms < 2 * SECOND_MS) return 'just now'
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
  return `${Math.floor(ms / DAY_MS)} d ago`
}

const integers = new Intl.NumberFormat('en-US')

/** A count, never rounded: `12,345`. */
export function formatCount(count: number): string {
  return integers.format(count)
}

/** A size in bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The first characters of an id, by which people know it. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(0, 8) : id
}
