import type { Schema } from '../../../client/index.ts'
import type { TraceState } from '../../live/trace-store.ts'
import { Panel } from '../../parts/panel.tsx'
import { TokenTable } from '../../parts/token-table.tsx'
import { AgentTokens } from './agent-tokens.tsx'
import { BudgetPanel } from './budget-panel.tsx'
import { StepTokens } from './step-tokens.tsx'

interface TokensTabProps {
  job: Schema<'Job'>
  trace: TraceState
  onOpen: (id: number) => void
}

/** What an execution used of its models, what that cost, and where its budget stands. */
export function TokensTab({ job, trace, onOpen }: TokensTabProps) {
  const { token_usage, cost, budget } = job
  const isIncomplete = cost !== undefined && !cost.complete && token_usage.by_model.length > 0
  return (
    <>
      <Panel title="By model">
        <TokenTable models={token_usage.by_model} cost={cost} whole={token_usage} running={job.completed_at === null} />
        {isIncomplete && (
          <p className="dim">
            No price is known of a part of it: it cost more than the sum says. <code>PRICES_FILE</code> gives prices.
          </p>
        )}
        {cost?.by_model.some(({ estimated }) => estimated) && (
          <p className="dim">
            A part of the tokens was counted by the service, because the provider did not tell them.
          </p>
        )}
      </Panel>
      {budget != null && <BudgetPanel budget={budget} />}
      {trace.phase !== 'loading' && (
        <>
          <AgentTokens table={trace.table} />
          <StepTokens table={trace.table} version={trace.version} onOpen={onOpen} />
        </>
      )}
    </>
  )
}
