import type { LoadedAgent } from '../../agents/loaded-agent.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { RunSummary } from '../attempt/outcome.ts'
import type { RunBudgets } from './run-budgets.ts'
import type { RunRecords } from './transcript.ts'

/** An active agent of a leg: the run's own agent, or one that it calls. */
export interface AgentAtWork {
  run: AgentRun
  agent: LoadedAgent
  inputs: unknown
  records: RunRecords
  summary: RunSummary
  /** Undefined if no budget limits the agent. */
  budgets: RunBudgets | undefined
}
