import { InvalidArgumentError } from 'commander'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a duration such as `90s`, `10m` or `1h30m`; a bare number counts seconds. */
export function parseDurationMs(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * UNITS.s
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) throw new InvalidArgumentError('Give a duration such as 30s, 10m or 1h30m.')
  const parts = text.matchAll(/(\d+)(ms|s|m|h|d)/g)
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0)
}

/** A time for people, to the second: in the zone of this machine, or in UTC with a Z. */
export function formatTime(iso: string, utc: boolean): string {
  const date = new Date(iso)
  const shifted = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * UNITS.m)
  return `${shifted.toISOString().slice(0, 19).replace('T', ' ')}${utc ? 'Z' : ''}`
}
