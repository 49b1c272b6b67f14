import type { Schema } from './endpoint-types.ts'

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const SMALL_USD = 0.01

/**
 * A cost for people: `$0.0042`, `at least $1.20` where a part of it is not known, `unknown` where all of it is not, also where a
 * service that counts no costs says nothing of them.
 */
export function costText(cost: Pick<Schema<'Cost'>, 'usd' | 'complete'> | undefined): string {
  if (cost === undefined || cost.usd === null) return 'unknown'
  const { usd, complete } = cost
  const digits = (usd > 0 && usd < SMALL_USD ? small : cents).format(usd)
  return complete ? `$${digits}` : `at least $${digits}`
}

const counts = new Intl.NumberFormat('en-US')

/** One limit of a budget, and what is spent of it. */
export interface BudgetPart {
  limit: number
  spent: number
  /** Both for people: `1,200 of 5,000 tokens`. */
  text: string
}

const UNITS = { tokens: ' tokens', ms: ' ms', modelCalls: ' model calls', toolCalls: ' tool calls' } as const
const money = (usd: number): string => costText({ usd, complete: true })

/** Where a budget stands, limit by limit. */
export function budgetParts({ limits, spent }: Pick<Schema<'BudgetState'>, 'limits' | 'spent'>): BudgetPart[] {
  const names = ['usd', 'tokens', 'ms', 'modelCalls', 'toolCalls'] as const
  return names.flatMap((name) => {
    const [limit, used] = [limits[name], spent[name] ?? 0]
    if (limit === null) return []
    const text =
      name === 'usd'
        ? `${money(used)} of ${money(limit)}`
        : `${counts.format(used)} of ${counts.format(limit)}${UNITS[name]}`
    return [{ limit, spent: used, text }]
  })
}

/** Where a budget stands, for people: `$0.02 of $1.00, 1,200 of 5,000 tokens`. */
export function budgetText(budget: Pick<Schema<'BudgetState'>, 'limits' | 'spent'>): string {
  return budgetParts(budget)
    .map(({ text }) => text)
    .join(', ')
}
