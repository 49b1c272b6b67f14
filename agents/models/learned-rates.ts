import type { AccountLimits } from '../../core/provider-account.ts'
import type { RateLimit, RateLimits } from './rate-limits.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** A reset is told in whole seconds by some, and counts what others use: it tells a second from a minute, and no more. */
const NEARNESS = 4

/**
 * The limits a minute that a provider's headers tell. They do not say for which period a limit is: it is the time in which
 * all of it would come back, at the pace at which what was used does.
 * @returns undefined when they tell none; limits for longer periods, such as Groq's for a day, are no pace to keep to.
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
