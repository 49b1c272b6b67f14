import type { useSeries } from '../../api/queries.ts'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { TokenTable } from '../../parts/token-table.tsx'

/** What each model was given and gave, and what that cost. */
export function TokensByModel({ query, window }: { query: ReturnType<typeof useSeries>; window: string }) {
  return (
    <Panel title={`Tokens and cost by model, ${window}`}>
      <Loaded query={query}>{({ total }) => <TokenTable models={total.tokens} cost={total.cost} />}</Loaded>
    </Panel>
  )
}
