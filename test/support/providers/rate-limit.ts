import type { ProviderRequest } from '../provider-server.ts'
import type { ScriptedAnswer, ScriptedMessage } from './scripted-answer.ts'

/** Requests so far, by what became of them. */
export interface LimitedCounts {
  answered: number
  refused: number
  /** Most requests that were open at a time. */
  mostAtOnce: number
}

/** What an account may do. */
export interface EnforcedLimits {
  requestsPerSecond?: number
  tokensPerSecond?: number
  concurrent?: number
}

/** A bucket that fills steadily and holds one second's worth. */
class Bucket {
  readonly #perSecond: number
  #left: number
  #filledAt = Date.now()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
  }

  /** Takes an amount; one that is larger than the bucket takes all of it. @returns ms to wait for it, 0 when it was there. */
  take(amount: number): number {
    const now = Date.now()
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#filledAt) * this.#perSecond) / 1_000)
    this.#filledAt = now
    const missing = Math.min(amount, this.#perSecond) - this.#left
    if (missing > 0) return Math.ceil((missing * 1_000) / this.#perSecond)
    this.#left -= amount
    return 0
  }

  get told(): { limit: number; remaining: number; resetMs: number } {
    const remaining = Math.max(0, Math.floor(this.#left))
    const resetMs = Math.ceil(((this.#perSecond - this.#left) * 1_000) / this.#perSecond)
    return { limit: this.#perSecond, remaining, resetMs }
  }
}

/**
 * A script that enforces limits, as a provider's token bucket does: within them each request gets `answer`, above them 429
 * with Retry-After and the limits in the headers. Tokens are counted as `usage` of the answer says.
 */
export function enforced(
  { requestsPerSecond = Infinity, tokensPerSecond = Infinity, concurrent = Infinity }: EnforcedLimits,
  answer: ScriptedMessage,
): { script: (request: ProviderRequest) => ScriptedAnswer; counts: LimitedCounts } {
  const counts: LimitedCounts = { answered: 0, refused: 0, mostAtOnce: 0 }
  const requests = requestsPerSecond === Infinity ? undefined : new Bucket(requestsPerSecond)
  const tokens = tokensPerSecond === Infinity ? undefined : new Bucket(tokensPerSecond)
  const { prompt_tokens = 10, completion_tokens = 5 } = answer.usage ?? {}
  let open = 0
  const script = (request: ProviderRequest): ScriptedAnswer => {
    const waitMs =
      open >= concurrent ? 100 : ((requests?.take(1) || tokens?.take(prompt_tokens + completion_tokens)) ?? 0)
    const limits = { ...(requests && { requests: requests.told }), ...(tokens && { tokens: tokens.told }) }
    if (waitMs > 0) {
      counts.refused += 1
      return { status: 429, headers: { 'retry-after-ms': String(waitMs) }, code: 'rate_limit_exceeded', limits }
    }
    open += 1
    void request.closed.then(() => (open -= 1))
    counts.mostAtOnce = Math.max(counts.mostAtOnce, open)
    counts.answered += 1
    return { ...answer, limits }
  }
  return { script, counts }
}
