import type { ScriptedAnswer, ScriptedMessage } from './scripted-answer.ts'

/** Requests so far, by what became of them. */
export interface LimitedCounts {
  answered: number
  refused: number
}

/**
 * A script that enforces a rate limit, as a provider's token bucket does: within it each request gets `answer`, above it
 * 429 with Retry-After and the limits in the headers.
 * @param requestsPerSecond - how fast the bucket fills; it holds one second's worth.
 */
export function rateLimited(
  requestsPerSecond: number,
  answer: ScriptedMessage,
): { script: () => ScriptedAnswer; counts: LimitedCounts } {
  const counts = { answered: 0, refused: 0 }
  let left = requestsPerSecond
  let filledAt = Date.now()
  const script = (): ScriptedAnswer => {
    const now = Date.now()
    left = Math.min(requestsPerSecond, left + ((now - filledAt) * requestsPerSecond) / 1_000)
    filledAt = now
    const resetMs = Math.ceil(((requestsPerSecond - left) * 1_000) / requestsPerSecond)
    if (left < 1) {
      counts.refused += 1
      const waitMs = Math.ceil(((1 - left) * 1_000) / requestsPerSecond)
      const limits = { requests: { limit: requestsPerSecond, remaining: 0, resetMs } }
      return { status: 429, headers: { 'retry-after-ms': String(waitMs) }, code: 'rate_limit_exceeded', limits }
    }
    left -= 1
    counts.answered += 1
    return { ...answer, limits: { requests: { limit: requestsPerSecond, remaining: Math.floor(left), resetMs } } }
  }
  return { script, counts }
}
