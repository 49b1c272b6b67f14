import type { Schema } from './endpoint-types.ts'

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const SMALL_USD = 0.01

/** A cost for people: `$0.0042`, `at least $1.20` where a part of it is not known, `unknown` where all of it is not. */
export function costText({ usd, complete }: Pick<Schema<'Cost'>, 'usd' | 'complete'>): string {
  if (usd === null) return 'unknown'
  const digits = (usd > 0 && usd < SMALL_USD ? small : cents).format(usd)
  return complete ? `$${digits}` : `at least $${digits}`
}

const counts = new Intl.NumberFormat('en-US')

/** Where a budget stands, for people: `$0.02 of $1.00, 1,200 of 5,000 tokens`. */
export function budgetText({ limits, spent }: NonNullable<Schema<'BudgetState'>>): string {
  const money = (usd: number | null): string => costText({ usd, complete: true })
  const number = (count: number | null): string => counts.format(count ?? 0)
  const parts: [number | null, string][] = [
    [limits.usd, `${money(spent.usd)} of ${money(limits.usd)}`],
    [limits.tokens, `${number(spent.tokens)} of ${number(limits.tokens)} tokens`],
    [limits.ms, `${number(spent.ms)} of ${number(limits.ms)} ms`],
    [limits.modelCalls, `${number(spent.modelCalls)} of ${number(limits.modelCalls)} model calls`],
    [limits.toolCalls, `${number(spent.toolCalls)} of ${number(limits.toolCalls)} tool calls`],
  ]
  return parts.flatMap(([limit, text]) => (limit === null ? [] : [text])).join(', ')
}
