const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
/** Maximum delay, even if the service asks for more. */
const MAX_RETRY_AFTER_MS = 120_000

/**
 * The delay before a retry: exponential with jitter, so that many clients do not retry at the same
 * time, and at least as long as the service asked for.
 * @param attempt - 0 for the first retry
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null = null, random = Math.random): number {
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)
  const jitteredMs = backoffMs * (0.5 + random() / 2)
  return Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
}

/** Parses a `Retry-After` header (seconds or an HTTP date) to milliseconds; null when invalid. */
export function parseRetryAfterMs(header: string | null, now = Date.now()): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000
  const time = Date.parse(header)
  return Number.isNaN(time) ? null : Math.max(0, time - now)
}

/** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
