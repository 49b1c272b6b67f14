import type { useSeries } from '../../api/queries.ts'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { TokenTable } from '../../parts/token-table.tsx'
import { TokensChart } from './charts.tsx'

/** What each model was given and gave, when, and what that cost. */
export function TokensByModel({ query, window }: { query: ReturnType<typeof useSeries>; window: string }) {
  return (
    <Panel title={`Tokens and cost by model, ${window}`}>
      <Loaded query={query}>
        {(series) => (
          <>
            {series.total.tokens.length > 0 && <TokensChart series={series} />}
            <TokenTable models={series.total.tokens} cost={series.total.cost} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}
