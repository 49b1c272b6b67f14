import { InvalidArgumentError } from 'commander'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a duration such as `90s`, `10m` or `1h30m` to milliseconds; a number without unit is seconds. */
export function parseDurationMs(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * UNITS.s
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) throw new InvalidArgumentError('Use a duration such as 30s, 10m or 1h30m.')
  const parts = text.matchAll(/(\d+)(ms|s|m|h|d)/g)
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0)
}

/** Formats a time to the second: in the local zone, or in UTC with a Z. */
export function formatTime(iso: string, utc: boolean): string {
  const date = new Date(iso)
  const shifted = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * UNITS.m)
  return `${shifted.toISOString().slice(0, 19).replace('T', ' ')}${utc ? 'Z' : ''}`
}
