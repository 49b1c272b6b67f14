import { amountText, type Dimension } from '../../core/budget.ts'
import { budgetScope, type BudgetDocument } from '../../store/spending/budgets.ts'

/** A budget does not allow the next step. The message names the limit and the spent amount. */
export class BudgetExceeded extends Error {
  readonly code = 'budget_exceeded'
  /** Whether the agent may make a final response from the amount that was kept for it. */
  readonly mayAnswer: boolean

  /**
   * Creates the error for a budget's dimension.
   * @param wanted - the amount that the next call may need.
   */
  constructor(state: BudgetDocument, dimension: Dimension, mayAnswer: boolean, wanted = 0) {
    const limit = amountText(dimension, state.limits[dimension] ?? 0)
    const { limits, left } = state
    // A running tool call counts as spent.
    const gone = dimension === 'tool_calls' ? (limits.tool_calls ?? 0) - (left.tool_calls ?? 0) : state.spent[dimension]
    const spent = amountText(dimension, gone)
    const need = wanted > 0 ? `, and it may need ${amountText(dimension, wanted)}` : ''
    const owner = budgetScope(state) === 'batch' ? ' of the batch' : ''
    super(`The budget${owner} of ${limit} does not allow another call: ${spent} spent${need}.`)
    this.name = 'BudgetExceeded'
    this.mayAnswer = mayAnswer
  }
}
