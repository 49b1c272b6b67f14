/** Calls of an API key that wait in a worker. */
export interface KeyDemand {
  key: string
  /** The key's share beside others. */
  weight: number
  waiting: number
}

/**
 * What part of a whole each key that waits in a worker may have there: every key has its part by its weight, however many calls of
 * it wait, and a key that waits in several workers has a part of that in each.
 * @returns parts by key; those of all workers add up to 1
 */
export function keyParts(mine: readonly KeyDemand[], others: readonly (readonly KeyDemand[])[]): Map<string, number> {
  const all = new Map<string, { weight: number; waiting: number }>()
  for (const { key, weight, waiting } of [mine, ...others].flat()) {
    all.set(key, { weight, waiting: (all.get(key)?.waiting ?? 0) + waiting })
  }
  const weights = [...all.values()].reduce((sum, { weight }) => sum + weight, 0)
  return new Map(
    mine.map(({ key, weight, waiting }) => [key, (weight / weights) * (waiting / (all.get(key)?.waiting ?? waiting))]),
  )
}

/**
 * How much of an account a worker may take ahead of time, so that no key gets more because its calls wait in more workers. What is
 * due and nobody has taken is anybody's, and counts all the same: a worker may be in debt.
 * @param parts - of its keys.
 * @param before - what was left; all values in ms of the account.
 * @param aheadMs - how much all workers together may take ahead.
 */
export function creditOf(parts: ReadonlyMap<string, number>, before: number, sinceMs: number, aheadMs: number): number {
  const part = [...parts.values()].reduce((sum, each) => sum + each, 0)
  const most = part * aheadMs + 1
  return part === 0 ? 0 : Math.min(Math.max(before, -aheadMs) + sinceMs * part, most)
}
