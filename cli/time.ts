import { InvalidArgumentError } from 'commander'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a duration such as `90s`, `10m` or `1h30m`; a bare number counts seconds. */
export function parseDurationMs(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * UNITS.s
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) throw new InvalidArgumentError('Give a duration such as 30s, 10m or 1h30m.')
  const parts = text.matchAll(/(\d+)(ms|s|m|h|d)/g)
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0)
}

/** A duration for people: `320 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < UNITS.m) return `${(ms / UNITS.s).toFixed(1)} s`
  if (ms < UNITS.h) return `${Math.floor(ms / UNITS.m)} min ${Math.floor((ms % UNITS.m) / UNITS.s)} s`
  return `${Math.floor(ms / UNITS.h)} h ${Math.floor((ms % UNITS.h) / UNITS.m)} min`
}

/** A time for people, to the second: in the zone of this machine, or in UTC with a Z. */
export function formatTime(iso: string, utc: boolean): string {
  const date = new Date(iso)
  const shifted = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * UNITS.m)
  return `${shifted.toISOString().slice(0, 19).replace('T', ' ')}${utc ? 'Z' : ''}`
}
