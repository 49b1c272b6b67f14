import { z } from 'zod'
import { toNanoUsd, toUsd } from './cost.ts'

const MAX_USD = 1_000_000
const dollars = { error: 'must be a number of US dollars above 0 and at most 1,000,000, in whole billionths' }
const whole = { error: 'must be a whole number above 0' }
const count = z.int(whole).min(1, whole)
const part = { error: 'must be a number above 0 and at most 1' }

/** What work may use, as agents and requests give it: `usd` in dollars, `ms` of models and tools at work. */
export const budget = z
  .strictObject({
    usd: z
      .number(dollars)
      .refine((usd) => toNanoUsd(usd) >= 1 && usd <= MAX_USD, dollars)
      .meta({ minimum: toUsd(1), maximum: MAX_USD })
      .optional(),
    tokens: count.optional(),
    ms: count.optional(),
    modelCalls: count.optional(),
    toolCalls: count.optional(),
    warnAt: z
      .number(part)
      .refine((warnAt) => warnAt > 0 && warnAt <= 1, part)
      .meta({ exclusiveMinimum: 0, maximum: 1 })
      .optional(),
    onExceeded: z.enum(['fail', 'answer'], { error: "must be 'fail' or 'answer'" }).optional(),
  })
  .refine(({ warnAt: _warnAt, onExceeded: _onExceeded, ...limits }) => Object.keys(limits).length > 0, {
    error: 'must limit at least one of usd, tokens, ms, modelCalls and toolCalls',
  })

/** See {@link budget}. */
export type Budget = z.infer<typeof budget>

/** What is counted; money in billionths of a dollar. */
export const DIMENSIONS = ['nano_usd', 'tokens', 'ms', 'model_calls', 'tool_calls'] as const
export type Dimension = (typeof DIMENSIONS)[number]
export type Amounts = Record<Dimension, number>
export const NOTHING: Amounts = { nano_usd: 0, tokens: 0, ms: 0, model_calls: 0, tool_calls: 0 }

/** The limits of a budget, of what it limits. */
export function limitsOf({ usd, tokens, ms, modelCalls, toolCalls }: Budget): Partial<Amounts> {
  const nano_usd = usd === undefined ? undefined : toNanoUsd(usd)
  const limits = { nano_usd, tokens, ms, model_calls: modelCalls, tool_calls: toolCalls }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** Where a budget stands. */
export interface BudgetState {
  limits: Partial<Amounts>
  /** The limits without what is spent and what is reserved. */
  left: Partial<Amounts>
  spent: Amounts
}

/** Dimensions that a budget limits. */
export function limited({ limits }: Pick<BudgetState, 'limits'>): Dimension[] {
  return DIMENSIONS.filter((dimension) => limits[dimension] !== undefined)
}

/** The part of a limit that is kept for one last answer. */
const KEPT_SHARE = 0.1

/** What of a budget is kept for one last answer. */
export function keptForAnswer({ limits }: Pick<BudgetState, 'limits'>): Partial<Amounts> {
  const kept = limited({ limits }).map((dimension): [Dimension, number] => {
    if (dimension === 'tool_calls') return [dimension, 0]
    const part = Math.floor((limits[dimension] ?? 0) * KEPT_SHARE)
    return [dimension, dimension === 'model_calls' ? Math.max(1, part) : part]
  })
  return Object.fromEntries(kept)
}

/** The first dimension of which less is left than is wanted; what is kept is not left. */
export function lacking(
  { limits, left }: BudgetState,
  wanted: Partial<Amounts>,
  kept: Partial<Amounts>,
): Dimension | undefined {
  return limited({ limits }).find((dimension) => {
    const free = (left[dimension] ?? 0) - (kept[dimension] ?? 0)
    return free < (wanted[dimension] ?? 0)
  })
}

/** Whether there would be enough, were it not for what others have reserved and may give back. */
export function isHeldByOthers(
  { limits, spent }: BudgetState,
  dimension: Dimension,
  wanted: Partial<Amounts>,
  kept: Partial<Amounts>,
): boolean {
  const unspent = (limits[dimension] ?? 0) - spent[dimension] - (kept[dimension] ?? 0)
  return unspent >= (wanted[dimension] ?? 0)
}

/** How much of a budget is spent: the largest share of any of its limits. */
export function spentShare({ limits, spent }: Pick<BudgetState, 'limits' | 'spent'>): number {
  return Math.max(0, ...limited({ limits }).map((dimension) => spent[dimension] / (limits[dimension] ?? 1)))
}

/** Amounts under the names of a budget; null where it has no limit. */
export function shownAmounts({ limits }: Pick<BudgetState, 'limits'>, amounts: Partial<Amounts>) {
  const shown = (each: Dimension): number | null => (limits[each] === undefined ? null : (amounts[each] ?? 0))
  const nanoUsd = shown('nano_usd')
  return {
    usd: nanoUsd === null ? null : toUsd(nanoUsd),
    tokens: shown('tokens'),
    ms: shown('ms'),
    modelCalls: shown('model_calls'),
    toolCalls: shown('tool_calls'),
  }
}

/** An amount for people. */
export function amountText(dimension: Dimension, amount: number): string {
  switch (dimension) {
    case 'nano_usd':
      return `$${toUsd(amount)}`
    case 'ms':
      return `${amount} ms`
    default: {
      const units = dimension.replace('_', ' ')
      return `${amount} ${amount === 1 ? units.slice(0, -1) : units}`
    }
  }
}

/** Output tokens without which a call is not worth making; OpenAI takes no lower limit. */
const LEAST_OUTPUT_TOKENS = 16
/**
 * What a call reserves whose agent sets no `maxOutputTokens`: providers refuse a limit above what their model can write, and many
 * write no more than this.
 */
const OUTPUT_TOKENS = 16_384
/** Time is reserved in pieces of this share of what is left, between these, in ms: a timer takes no more than 24 days. */
const TIME_SHARE = 1 / 8
const TIME_PIECE_MS = { least: 1_000, most: 3_600_000 }

/** A budget, and what of it is kept for a last answer. */
export interface BudgetPart {
  state: BudgetState
  kept: Partial<Amounts>
}

/** What a model call is expected to use. */
export interface CallEstimate {
  inputTokens: number
  /** Of the agent's settings; undefined where it sets none. */
  maxOutputTokens: number | undefined
  /** What so many tokens cost at most, in billionths; undefined where no budget is about money. */
  nanoUsd: ((inputTokens: number, outputTokens: number) => number) | undefined
}

/** What a call reserves, so that it fits into every budget; its output may have `outputTokens`. */
export interface CallSize {
  outputTokens: number
  amounts: Amounts
}

/** The size of a call: the output that its agent allows, or a share of what is left, and never more than what is left. */
export function sizeCall({ inputTokens, maxOutputTokens, nanoUsd }: CallEstimate, budgets: BudgetPart[]): CallSize {
  const inputCost = nanoUsd?.(inputTokens, 0) ?? 0
  const tokenCost = nanoUsd === undefined ? 0 : (nanoUsd(inputTokens, 1_000_000) - inputCost) / 1_000_000
  const affordable = budgets.flatMap(({ state: { left }, kept }) => [
    ...(left.tokens === undefined ? [] : [left.tokens - (kept.tokens ?? 0) - inputTokens]),
    ...(left.nano_usd === undefined || tokenCost === 0
      ? []
      : [Math.floor((left.nano_usd - (kept.nano_usd ?? 0) - inputCost) / tokenCost)]),
  ])
  if (affordable.length === 0) return { outputTokens: 0, amounts: { ...NOTHING, tokens: inputTokens, model_calls: 1 } }
  const most = Math.min(...affordable)
  const wanted = maxOutputTokens ?? OUTPUT_TOKENS
  const least = Math.min(LEAST_OUTPUT_TOKENS, wanted)
  const outputTokens = Math.max(least, Math.min(wanted, most))
  const nano_usd = Math.ceil(nanoUsd?.(inputTokens, outputTokens) ?? 0)
  return { outputTokens, amounts: { ...NOTHING, nano_usd, tokens: inputTokens + outputTokens, model_calls: 1 } }
}

/** The piece of time that a call takes next, in ms; 0 where no budget is about time. One that lasts longer takes another. */
export function timePiece(budgets: BudgetPart[]): number {
  const free = budgets.flatMap(({ state: { left }, kept }) => (left.ms === undefined ? [] : [left.ms - (kept.ms ?? 0)]))
  if (free.length === 0) return 0
  const most = Math.min(...free)
  const piece = Math.min(TIME_PIECE_MS.most, Math.max(TIME_PIECE_MS.least, Math.floor(most * TIME_SHARE)))
  return Math.max(1, Math.min(most, piece))
}
