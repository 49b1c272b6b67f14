/** Token categories of a model call. They are disjoint, so that no token is billed twice. */
export const BUCKETS = ['input', 'cached', 'cache_write', 'output', 'reasoning'] as const

/** Tokens by category; the sum is the total of the call. */
export type Buckets = Record<(typeof BUCKETS)[number], number>

/**
 * Money is counted in whole billionths of a dollar, because a token of even the cheapest models costs a whole number of
 * them.
 */
const NANO_USD = 1_000_000_000

/** Converts dollars to whole billionths. */
export function toNanoUsd(usd: number): number {
  return Math.round(usd * NANO_USD)
}

/** Converts billionths to dollars. */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO_USD
}

/** Tokens spent on one model, with the wire's field names. */
export interface ModelUsage {
  provider: string
  model: string
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Model calls. */
  calls: number
}

/** Accumulated usage and cost of model calls on one model. */
export interface ModelSpending extends ModelUsage, Buckets {
  /** The known part of the cost, in billionths of a US dollar. */
  nano_usd: number
  /** Calls with a known cost. */
  priced: number
  /** Calls whose usage Troupe estimated, at least in part. */
  estimated: number
}

/** Stored sums. Sums written by earlier versions contain tokens only. */
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

/** The cost of an execution or batch: the known sum, and whether every call is priced. Models are sorted by name. */
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
