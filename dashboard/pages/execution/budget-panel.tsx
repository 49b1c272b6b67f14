import { budgetParts, type Schema } from '../../../client/index.ts'
import { Panel } from '../../parts/panel.tsx'

/** How much of each limit of a budget is spent. */
export function BudgetPanel({ budget }: { budget: NonNullable<Schema<'BudgetState'>> }) {
  return (
    <Panel title="Budget">
      <ul className="budget">
        {budgetParts(budget).map(({ limit, spent, text }) => (
          <li key={text}>
            <progress aria-label={text} max={limit} value={Math.min(spent, limit)} />{' '}
            <span className="number">{text}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
