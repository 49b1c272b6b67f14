import { amountText, type Dimension } from '../../core/budget.ts'
import { budgetScope, type BudgetDocument } from '../../store/spending/budgets.ts'

/** A budget does not allow what comes next. Its message names the limit and what is spent. */
export class BudgetExceeded extends Error {
  readonly code = 'budget_exceeded'
  /** Whether the agent makes one last answer from what was kept for it. */
  readonly mayAnswer: boolean

  /**
   * Says what was spent of which limit.
   * @param wanted - what the next call may need of it.
   */
  constructor(state: BudgetDocument, dimension: Dimension, mayAnswer: boolean, wanted = 0) {
    const limit = amountText(dimension, state.limits[dimension] ?? 0)
    const { limits, left } = state
    // A tool call that is being made is as good as spent.
    const gone = dimension === 'tool_calls' ? (limits.tool_calls ?? 0) - (left.tool_calls ?? 0) : state.spent[dimension]
    const spent = amountText(dimension, gone)
    const need = wanted > 0 ? `, and it may need ${amountText(dimension, wanted)}` : ''
    const owner = budgetScope(state) === 'batch' ? ' of the batch' : ''
    super(`The budget${owner} of ${limit} does not allow another call: ${spent} spent${need}.`)
    this.name = 'BudgetExceeded'
    this.mayAnswer = mayAnswer
  }
}
