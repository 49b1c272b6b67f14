/** Concurrent calls allowed to a provider that has pushed back. */
export interface AdaptiveLimit {
  now: number
  /** Concurrent calls at the time of the push-back. */
  from: number
  /**
   * Up to this value the limit doubles with each round of served calls, because the provider managed as much before.
   * Above it, the limit grows by one per round.
   */
  doubles_to: number
}

/**
 * Halves the limit after a push-back.
 * @param isLimit - the provider reported a rate limit; otherwise it was unavailable.
 * @param isProbe - the call was a probe of a provider that had already pushed back. Its failure says nothing about the
 *   capacity after recovery.
 */
export function halved(
  before: AdaptiveLimit | null,
  inUse: number,
  { isLimit, isProbe }: { isLimit: boolean; isProbe: boolean },
): AdaptiveLimit {
  const { now: most = inUse, from = inUse } = before ?? {}
  const now = Math.max(1, Math.floor(Math.min(most, inUse) / 2))
  if (before !== null && isProbe) return { ...before, now }
  return { now, from, doubles_to: isLimit ? now : from }
}

/** Raises the limit after served calls; null once it exceeds the concurrency before the push-back. */
export function grown(before: AdaptiveLimit | null, served: number): AdaptiveLimit | null {
  if (before === null) return null
  const now = before.now + (before.now < before.doubles_to ? served : served / before.now)
  return now > before.from ? null : { ...before, now }
}
