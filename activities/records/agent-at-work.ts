import type { LoadedAgent } from '../../agents/loaded-agent.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { RunSummary } from '../attempt/outcome.ts'
import type { RunBudgets } from './run-budgets.ts'
import type { RunRecords } from './transcript.ts'

/** One agent of a leg at work: that of the run, or one that it calls. */
export interface AgentAtWork {
  run: AgentRun
  agent: LoadedAgent
  inputs: unknown
  records: RunRecords
  summary: RunSummary
  /** Undefined where nothing limits what it may use. */
  budgets: RunBudgets | undefined
}
