import { z } from 'zod'
import { toNanoUsd, toUsd } from './cost.ts'

const MAX_USD = 1_000_000
const dollars = { error: 'must be a number of US dollars above 0 and at most 1,000,000, in whole billionths' }
const whole = { error: 'must be a whole number above 0' }
const count = z.int(whole).min(1, whole)
const part = { error: 'must be a number above 0 and at most 1' }

/** The budget of an agent or a request: `usd` in dollars, `ms` as working time of models and tools. */
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

/** The counted quantities; money in billionths of a dollar. */
export const DIMENSIONS = ['nano_usd', 'tokens', 'ms', 'model_calls', 'tool_calls'] as const
export type Dimension = (typeof DIMENSIONS)[number]
export type Amounts = Record<Dimension, number>
export const NOTHING: Amounts = { nano_usd: 0, tokens: 0, ms: 0, model_calls: 0, tool_calls: 0 }

/** The limits of a budget; unlimited dimensions are left out. */
export function limitsOf({ usd, tokens, ms, modelCalls, toolCalls }: Budget): Partial<Amounts> {
  const nano_usd = usd === undefined ? undefined : toNanoUsd(usd)
  const limits = { nano_usd, tokens, ms, model_calls: modelCalls, tool_calls: toolCalls }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** The current state of a budget. */
export interface BudgetState {
  limits: Partial<Amounts>
  /** The limits minus the spent and the reserved amounts. */
  left: Partial<Amounts>
  spent: Amounts
}

/** The dimensions that a budget limits. */
export function limited({ limits }: Pick<BudgetState, 'limits'>): Dimension[] {
  return DIMENSIONS.filter((dimension) => limits[dimension] !== undefined)
}

/** The share of a limit that is kept for a final answer. */
const KEPT_SHARE = 0.1

/** The amounts of a budget that are kept for a final answer. */
export function keptForAnswer({ limits }: Pick<BudgetState, 'limits'>): Partial<Amounts> {
  const kept = limited({ limits }).map((dimension): [Dimension, number] => {
    if (dimension === 'tool_calls') return [dimension, 0]
    const part = Math.floor((limits[dimension] ?? 0) * KEPT_SHARE)
    return [dimension, dimension === 'model_calls' ? Math.max(1, part) : part]
  })
  return Object.fromEntries(kept)
}

/** The first dimension in which the remainder, without the kept amount, is smaller than the wanted amount. */
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

/** Whether the amount would suffice without the reservations of other calls, which may be returned. */
export function isHeldByOthers(
  { limits, spent }: BudgetState,
  dimension: Dimension,
  wanted: Partial<Amounts>,
  kept: Partial<Amounts>,
): boolean {
  const unspent = (limits[dimension] ?? 0) - spent[dimension] - (kept[dimension] ?? 0)
  return unspent >= (wanted[dimension] ?? 0)
}

/** The spent share of a budget: the largest share over all its limits. */
export function spentShare({ limits, spent }: Pick<BudgetState, 'limits' | 'spent'>): number {
  return Math.max(0, ...limited({ limits }).map((dimension) => spent[dimension] / (limits[dimension] ?? 1)))
}

/** Amounts under the field names of a budget; null for dimensions without a limit. */
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

/** An amount as readable text. */
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

/** The smallest useful output limit of a call, in tokens. OpenAI accepts no lower value. */
const LEAST_OUTPUT_TOKENS = 16
/**
 * Output tokens reserved for a call whose agent sets no `maxOutputTokens`. Providers refuse a limit above their model's
 * maximum, and many models write no more than this.
 */
const OUTPUT_TOKENS = 16_384
/**
 * Working time is reserved in pieces of this share of the remainder. The bounds in ms exist because a Node timer takes
 * at most 24 days.
 */
const TIME_SHARE = 1 / 8
const TIME_PIECE_MS = { least: 1_000, most: 3_600_000 }

/** A budget, with the amounts that are kept for a final answer. */
export interface BudgetPart {
  state: BudgetState
  kept: Partial<Amounts>
}

/** The expected usage of a model call. */
export interface CallEstimate {
  inputTokens: number
  /** From the agent's settings; undefined if it sets none. */
  maxOutputTokens: number | undefined
  /** The maximum cost of these tokens in billionths of a dollar; undefined if no budget limits money. */
  nanoUsd: ((inputTokens: number, outputTokens: number) => number) | undefined
}

/** The reservation of a call that fits into every budget. */
export interface CallSize {
  /** The output limit in tokens; undefined if no budget limits tokens, and the output costs nothing or no budget limits money. */
  outputTokens: number | undefined
  amounts: Amounts
}

/** Sizes a call. Its output is the agent's limit or the affordable rest, whichever is smaller. */
export function sizeCall({ inputTokens, maxOutputTokens, nanoUsd }: CallEstimate, budgets: BudgetPart[]): CallSize {
  const inputCost = nanoUsd?.(inputTokens, 0) ?? 0
  const tokenCost = nanoUsd === undefined ? 0 : (nanoUsd(inputTokens, 1_000_000) - inputCost) / 1_000_000
  const affordable = budgets.flatMap(({ state: { left }, kept }) => [
    ...(left.tokens === undefined ? [] : [left.tokens - (kept.tokens ?? 0) - inputTokens]),
    ...(left.nano_usd === undefined || tokenCost === 0
      ? []
      : [Math.floor((left.nano_usd - (kept.nano_usd ?? 0) - inputCost) / tokenCost)]),
  ])
  if (affordable.length === 0) {
    const nano_usd = Math.ceil(inputCost)
    return { outputTokens: undefined, amounts: { ...NOTHING, nano_usd, tokens: inputTokens, model_calls: 1 } }
  }
  const most = Math.min(...affordable)
  const wanted = maxOutputTokens ?? OUTPUT_TOKENS
  const least = Math.min(LEAST_OUTPUT_TOKENS, wanted)
  const outputTokens = Math.max(least, Math.min(wanted, most))
  const nano_usd = Math.ceil(nanoUsd?.(inputTokens, outputTokens) ?? 0)
  return { outputTokens, amounts: { ...NOTHING, nano_usd, tokens: inputTokens + outputTokens, model_calls: 1 } }
}

/**
 * The next piece of working time to reserve, in ms; 0 if no budget limits time. A longer call reserves further pieces.
 */
export function timePiece(budgets: BudgetPart[]): number {
  const free = budgets.flatMap(({ state: { left }, kept }) => (left.ms === undefined ? [] : [left.ms - (kept.ms ?? 0)]))
  if (free.length === 0) return 0
  const most = Math.min(...free)
  const piece = Math.min(TIME_PIECE_MS.most, Math.max(TIME_PIECE_MS.least, Math.floor(most * TIME_SHARE)))
  return Math.max(1, Math.min(most, piece))
}
