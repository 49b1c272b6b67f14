import { useState, type ReactNode } from 'react'
import type { Schema } from '../../client/index.ts'
import { useBudget } from './use-budget.tsx'

/** What a request says of its spending. */
export type Spending = Pick<Schema<'BatchRequest'>, 'budget' | 'task_budget' | 'no_cache'>

/** What a submission may use at most, and whether kept answers will do. @param legends - of the limits that it may have */
export function useSpending(
  legends: Partial<Record<'budget' | 'task_budget', string>>,
): [spending: Spending, form: ReactNode] {
  const [budget, budgetForm] = useBudget(legends.budget)
  const [task_budget, taskForm] = useBudget(legends.task_budget)
  const [isFresh, setFresh] = useState(false)
  const form = (
    <details className="spending">
      <summary>Budget and cache</summary>
      {budgetForm}
      {taskForm}
      <label className="check">
        <input type="checkbox" checked={isFresh} onChange={({ target }) => setFresh(target.checked)} /> Make every call
        anew
      </label>
    </details>
  )
  return [{ ...(budget && { budget }), ...(task_budget && { task_budget }), ...(isFresh && { no_cache: true }) }, form]
}
