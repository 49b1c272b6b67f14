import type { BudgetState } from '../../contracts/budget.ts'
import { DIMENSIONS, shownAmounts, spentShare } from '../../core/budget.ts'
import { batchBudgetId, budgetId, newBudget, readBudgets, type BudgetDocument } from '../../store/spending/budgets.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'

/** The tightest budget among an execution and the agents of its chain. Reads nothing for an execution without a budget. */
export async function executionBudget(
  { store }: Dependencies,
  { _id, agents, budget, budgeted, completed_at }: ExecutionDocument,
): Promise<BudgetState> {
  if (budget === undefined && budgeted !== true) return null
  const ids = [budgetId(_id), ...agents.map((_, index) => budgetId(_id, String(index)))]
  const states = await readBudgets(store, ids)
  // The budget document is created when the run starts.
  const unspent = budget && newBudget(budgetId(_id), budget)
  const [tightest = unspent] = states.sort((one, other) => spentShare(other) - spentShare(one))
  return tightest === undefined ? null : view(tightest, completed_at !== null)
}

/** The budget of a batch. */
export async function batchBudget(
  { store }: Pick<Dependencies, 'store'>,
  { _id, budget, completed_at }: BatchDocument,
): Promise<BudgetState> {
  if (budget === undefined) return null
  const [state] = await readBudgets(store, [batchBudgetId(_id)])
  return state === undefined ? null : view(state, completed_at !== null)
}

function view(state: BudgetDocument, hasEnded: boolean): BudgetState {
  const holds = hasEnded ? [] : Object.values(state.reserved)
  const reserved = DIMENSIONS.map((each) => [each, holds.reduce((sum, hold) => sum + hold[each], 0)])
  return {
    limits: shownAmounts(state, state.limits),
    spent: shownAmounts(state, state.spent),
    reserved: shownAmounts(state, Object.fromEntries(reserved)),
    warnAt: state.warn_at,
    onExceeded: state.on_exceeded,
  }
}
