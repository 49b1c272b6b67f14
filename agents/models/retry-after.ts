import { isObject } from '../../core/json.ts'

/**
 * Maximum delay before a retry. Longer requests are cut, because the provider's limit may be raised in the meantime.
 */
export const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * Reads the delay that the provider requests: `retry-after-ms` or `Retry-After` (seconds or an HTTP date), or
 * `RetryInfo` in the body of Google's errors.
 * @param now - reference time for a date.
 * @returns milliseconds from `now`, above 0 and at most {@link MAX_RETRY_AFTER_MS}; undefined if there is none. Zero
 * and past dates are ignored, because they would cause retries without a pause.
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
  // A valid date has a time of day. Date.parse also accepts texts that are not dates, such as `12, 30`.
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
