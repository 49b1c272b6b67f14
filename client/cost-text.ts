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
