/** Waiting calls of an API key in one worker. */
export interface KeyDemand {
  key: string
  /** Weight of the key relative to other keys. */
  weight: number
  waiting: number
}

/**
 * The share of an account for each API key that waits in a worker. A key's total share follows its weight, regardless
 * of the number of its waiting calls. The share is split over the workers in proportion to the calls that wait in each.
 * @returns shares by key; the shares of all workers add up to 1.
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
 * How much of an account a worker may take ahead of time. The bound prevents a key from getting more because its calls
 * wait in more workers. Capacity that is due and untaken is open to every worker and is charged all the same, so a
 * worker may go into debt.
 * @param parts - shares of the worker's keys.
 * @param before - the previous credit; all values are ms of the account.
 * @param aheadMs - how much all workers together may take ahead.
 */
export function creditOf(parts: ReadonlyMap<string, number>, before: number, sinceMs: number, aheadMs: number): number {
  const part = [...parts.values()].reduce((sum, each) => sum + each, 0)
  const most = part * aheadMs + 1
  return part === 0 ? 0 : Math.min(Math.max(before, -aheadMs) + sinceMs * part, most)
}
