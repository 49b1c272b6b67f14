/** How many calls at a time a provider gets that has pushed back. */
export interface AdaptiveLimit {
  now: number
  /** How many there were when it pushed back. */
  from: number
  /** Up to here they double with each round of calls that is served, as a provider can do again what it could do; above, one more is tried. */
  doubles_to: number
}

/**
 * Half as many, because the provider pushed back.
 * @param isLimit - it limits; otherwise it is away.
 * @param isProbe - it had pushed back before: that says nothing of how much can be done when it is over.
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

/** More, because calls were served; null when it is above what there was. */
export function grown(before: AdaptiveLimit | null, served: number): AdaptiveLimit | null {
  if (before === null) return null
  const now = before.now + (before.now < before.doubles_to ? served : served / before.now)
  return now > before.from ? null : { ...before, now }
}
