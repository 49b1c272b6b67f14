import { z } from 'zod'
import { budget } from '../core/budget.ts'

const meaning =
  'What the work may use at most: `usd`, `tokens`, `ms` of models and tools at work, `modelCalls`, `toolCalls`. Agents that it calls ' +
  'draw from it, too; where an agent has a budget of its own, both hold. `warnAt` (0.8) is the part that is spent when an event says so; ' +
  '`onExceeded: "answer"` keeps a tenth for one last answer, `fail` is the default.'

const RULES = ['warnAt', 'onExceeded']
/** JSON Schema of what zod checks by code: only these fields, and one of them a limit. */
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

/** Where a budget stands; null where there is none. */
export const budgetState = z
  .object({
    limits: amounts,
    spent: amounts.describe('Of what is limited; above a limit by no more than an estimate was wrong.'),
    reserved: amounts.describe('By calls that are being made.'),
    warnAt: z.number().describe('The part that is spent when an event says so.'),
    onExceeded: z.enum(['fail', 'answer']).describe('What happens at its end.'),
  })
  .meta({ id: 'BudgetState' })
  .nullable()

export type BudgetState = z.infer<typeof budgetState>
