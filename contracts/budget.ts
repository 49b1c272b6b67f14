import { z } from 'zod'
import { budget } from '../core/budget.ts'

const meaning =
  'Limits for the work: `usd`, `tokens`, `ms` (working time of models and tools), `modelCalls`, `toolCalls`. Called agents ' +
  'share the budget; if a called agent has its own budget, both apply. `warnAt` (default 0.8) is the spent fraction at which a warning event is recorded. ' +
  'With `onExceeded: "answer"`, a tenth of the budget is kept for one final answer; with `"fail"` (the default), the execution fails.'

const RULES = ['warnAt', 'onExceeded']
/** JSON Schema of the rules that zod checks in code: no other fields, and at least one limit. */
const names = {
  propertyNames: { enum: Object.keys(budget.shape) },
  not: { propertyNames: { enum: RULES } },
}

/** A budget in a body. */
export const budgetField = budget.meta({ id: 'Budget', description: meaning, ...names }).optional()

const amount = z.number().min(0)
const amounts = z.object({
  usd: amount.nullable(),
  tokens: amount.nullable(),
  ms: amount.nullable(),
  modelCalls: amount.nullable(),
  toolCalls: amount.nullable(),
})

/** State of a budget; null without a budget. */
export const budgetState = z
  .object({
    limits: amounts,
    spent: amounts.describe(
      'Amounts used of each limited quantity. They exceed a limit at most by the error of an estimate.',
    ),
    reserved: amounts.describe('Amounts reserved by calls in progress.'),
    warnAt: z.number().describe('Spent fraction at which a warning event is recorded.'),
    onExceeded: z.enum(['fail', 'answer']).describe('What happens when the budget is exhausted.'),
  })
  .meta({ id: 'BudgetState' })
  .nullable()

export type BudgetState = z.infer<typeof budgetState>
