import type { AccountLimits } from '../../core/provider-account.ts'
import type { RateLimit, RateLimits } from './rate-limits.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/**
 * Tolerance of a calculated period. Some providers round resets to seconds, and the limit includes other processes'
 * use, so the calculation can only distinguish a second from a minute.
 */
const NEARNESS = 4

/**
 * Derives limits per minute from a provider's headers. Headers do not state the period of a limit. The period is the
 * time in which the whole limit would be restored, at the pace at which the used part is restored.
 * @returns undefined if the headers give none. Limits of longer periods, such as Groq's limit per day, do not define a
 * pace.
 */
export function learnedRates(limits: RateLimits | undefined): Pick<AccountLimits, 'rpm' | 'tpm'> | undefined {
  const rpm = perMinute(limits?.requests)
  const tpm = perMinute(limits?.tokens)
  if (rpm === undefined && tpm === undefined) return undefined
  return { ...(rpm !== undefined && { rpm }), ...(tpm !== undefined && { tpm }) }
}

function perMinute({ limit, remaining, resetMs }: RateLimit = {}): number | undefined {
  if (limit === undefined || remaining === undefined || resetMs === undefined) return undefined
  const used = limit - remaining
  if (limit < 1 || used < 1 || resetMs < 1) return undefined
  const periodMs = (resetMs * limit) / used
  if (periodMs > MINUTE_MS * NEARNESS || periodMs < SECOND_MS / NEARNESS) return undefined
  return Math.abs(Math.log(periodMs / SECOND_MS)) < Math.abs(Math.log(periodMs / MINUTE_MS)) ? limit * 60 : limit
}
