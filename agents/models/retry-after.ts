import { isObject } from '../../core/json.ts'

/** A provider that asks for more is asked again after an hour all the same: its limit may be raised meanwhile. */
export const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * How long the provider asks us to wait: `retry-after-ms` or `Retry-After` (seconds or an HTTP date), or the `RetryInfo`
 * in the body of Google's errors.
 * @param now - for a Retry-After that is a date.
 * @returns milliseconds from `now`, above 0 and at most {@link MAX_RETRY_AFTER_MS}; undefined when it does not say. No time at all, and a
 * date that is over, say nothing: obeying them would be asking without a pause.
 */
export function readRetryAfter(headers: Record<string, string>, now: Date, body?: unknown): number | undefined {
  const said = [inMs(headers['retry-after-ms']), inSecondsOrDate(headers['retry-after'], now), inRetryInfo(body)]
  const asked = said.find((ms) => ms !== undefined && ms > 0)
  return asked === undefined ? undefined : Math.min(Math.ceil(asked), MAX_RETRY_AFTER_MS)
}

function inMs(value: string | undefined): number | undefined {
  return isNumber(value) ? Number(value) : undefined
}

function inSecondsOrDate(value: string | undefined, now: Date): number | undefined {
  if (isNumber(value)) return Number(value) * 1_000
  // A date has a time of day. Without one much is read as a date that is none, such as `12, 30`.
  const at = /\d:\d\d/.test(value ?? '') ? Date.parse(value ?? '') : NaN
  return Number.isNaN(at) ? undefined : at - now.getTime()
}

function inRetryInfo(body: unknown): number | undefined {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  for (const detail of Array.isArray(error.details) ? error.details : []) {
    const seconds = isObject(detail) && /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay))?.[1]
    if (seconds) return Number(seconds) * 1_000
  }
  return undefined
}

function isNumber(value: string | undefined): value is string {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value.trim())
}
