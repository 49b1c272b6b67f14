/** Parts of what a model call used, in tokens; they exclude each other, so that nothing is paid for twice. */
export const BUCKETS = ['input', 'cached', 'cache_write', 'output', 'reasoning'] as const

/** Tokens by part; their sum is the call's total. */
export type Buckets = Record<(typeof BUCKETS)[number], number>

/** Money is counted in whole billionths of a dollar: a token of the cheapest models is a whole number of them. */
const NANO_USD = 1_000_000_000

/** Dollars as whole billionths. */
export function toNanoUsd(usd: number): number {
  return Math.round(usd * NANO_USD)
}

/** Billionths as dollars. */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO_USD
}

/** Tokens spent on one model, in the wire's field names. */
export interface ModelUsage {
  provider: string
  model: string
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Model calls. */
  calls: number
}

/** What model calls used and cost, as it is added up. */
export interface ModelSpending extends ModelUsage, Buckets {
  /** What is known of the cost, in billionths of a US dollar. */
  nano_usd: number
  /** Calls whose cost is known. */
  priced: number
  /** Calls whose usage was counted by us, at least in part. */
  estimated: number
}

/** Sums of it; those of earlier versions have the tokens only. */
export type StoredSpending = ModelUsage & Partial<ModelSpending>

interface ModelCost extends Buckets {
  provider: string
  model: string
  usd: number | null
  complete: boolean
  estimated: boolean
}

interface CostView {
  usd: number | null
  complete: boolean
  by_model: ModelCost[]
}

/**
 * What an execution or a batch cost: the sum of what is known, and whether that is all of it. Each model in the order of
 * their names.
 */
export function costView(usage: Record<string, StoredSpending> = {}): CostView {
  const by_model = Object.entries(usage)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, spending]) => modelCost(spending))
  const known = by_model.flatMap(({ usd }) => (usd === null ? [] : [toNanoUsd(usd)]))
  const isUnknown = known.length === 0 && by_model.length > 0
  return {
    usd: isUnknown ? null : toUsd(known.reduce((sum, nanoUsd) => sum + nanoUsd, 0)),
    complete: by_model.every(({ complete }) => complete),
    by_model,
  }
}

function modelCost({ provider, model, calls, nano_usd = 0, priced = 0, estimated = 0, ...tokens }: StoredSpending) {
  const buckets = Object.fromEntries(BUCKETS.map((bucket) => [bucket, tokens[bucket] ?? 0])) as Buckets
  const usd = priced === 0 ? null : toUsd(nano_usd)
  return { provider, model, usd, complete: priced === calls, estimated: estimated > 0, ...buckets }
}
