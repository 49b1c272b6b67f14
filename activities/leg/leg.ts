import type { LoadedAgent } from '../../agents/loaded-agent.ts'
import type { AgentRun, LegResult } from '../../core/execution.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'
import type { RunSummary } from './outcome.ts'
import type { RunBudgets } from './run-budgets.ts'
import type { RunRecords } from './transcript.ts'

/** What everything in a leg works with. */
export interface Leg {
  deps: ActivityDependencies
  attempt: Attempt
  /** As it was when the attempt began. */
  execution: ExecutionDocument
  /** Runs an agent that one of the leg calls. */
  runAgent: (run: AgentRun, inputs: unknown) => Promise<LegResult>
}

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
