import type { Schema } from '../../../client/index.ts'
import { Panel } from '../../parts/panel.tsx'
import { TokenTable } from '../../parts/token-table.tsx'

/** What all tasks of a batch used of their models so far, and what that cost. */
export function BatchTokens({ grid: { token_usage, cost, completed_at } }: { grid: Schema<'BatchGrid'> }) {
  return (
    <Panel title="By model">
      <TokenTable models={token_usage.by_model} cost={cost} whole={token_usage} running={completed_at === null} />
    </Panel>
  )
}
