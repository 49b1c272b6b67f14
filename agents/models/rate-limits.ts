/** One limit of an account, from a provider's headers. */
export interface RateLimit {
  /** Maximum use in the provider's period. */
  limit?: number
  remaining?: number
  /** Milliseconds until the full limit is available again. */
  resetMs?: number
}

/** The limits of an account after a call, as far as the provider reports them. */
export interface RateLimits {
  requests?: RateLimit
  tokens?: RateLimit
}

const MEASURES = ['requests', 'tokens'] as const

/**
 * Reads the rate-limit headers of OpenAI and compatible providers (`x-ratelimit-remaining-tokens`) and of Anthropic
 * (`anthropic-ratelimit-tokens-remaining`).
 * @param now - reference time for resets given as dates.
 * @returns undefined if there are none.
 */
export function readRateLimits(headers: Record<string, string>, now: Date): RateLimits | undefined {
  const limits: RateLimits = {}
  for (const measure of MEASURES) {
    const header = (field: string) =>
      headers[`x-ratelimit-${field}-${measure}`] ?? headers[`anthropic-ratelimit-${measure}-${field}`]
    const limit = {
      limit: readCount(header('limit')),
      remaining: readCount(header('remaining')),
      resetMs: readReset(header('reset'), now),
    }
    const told = Object.entries(limit).filter(([, value]) => value !== undefined)
    if (told.length > 0) limits[measure] = Object.fromEntries(told)
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

function readCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value.trim()) ? Number(value) : undefined
}

const UNITS_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** Parses `6m0s`, `20ms`, `2m59.56s`, a number of seconds, or a date. */
function readReset(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000)
  if (/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
    return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0))
  }
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
