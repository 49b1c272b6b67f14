import type { Schema } from './endpoint-types.ts'

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const SMALL_USD = 0.01

/**
 * Formats a cost: `$0.0042`, `at least $1.20` when a part is unknown, `unknown` when all of it is unknown or an older
 * service does not report costs.
 */
export function costText(cost: Pick<Schema<'Cost'>, 'usd' | 'complete'> | undefined): string {
  if (cost === undefined || cost.usd === null) return 'unknown'
  const { usd, complete } = cost
  const digits = (usd > 0 && usd < SMALL_USD ? small : cents).format(usd)
  return complete ? `$${digits}` : `at least $${digits}`
}

const counts = new Intl.NumberFormat('en-US')

/** One limit of a budget, and how much of it is spent. */
export interface BudgetPart {
  limit: number
  spent: number
  /** Both as text: `1,200 of 5,000 tokens`. */
  text: string
}

const UNITS = { tokens: ' tokens', ms: ' ms', modelCalls: ' model calls', toolCalls: ' tool calls' } as const
const money = (usd: number): string => costText({ usd, complete: true })

/** The state of each limit of a budget. */
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

/** The state of a budget as text: `$0.02 of $1.00, 1,200 of 5,000 tokens`. */
export function budgetText(budget: Pick<Schema<'BudgetState'>, 'limits' | 'spent'>): string {
  return budgetParts(budget)
    .map(({ text }) => text)
    .join(', ')
}
