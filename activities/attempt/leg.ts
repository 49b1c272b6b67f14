import type { AgentRun, LegResult } from '../../core/execution.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'

/** The shared context of a leg. */
export interface Leg {
  deps: ActivityDependencies
  attempt: Attempt
  /** The execution as of the attempt's start. */
  execution: ExecutionDocument
  /** Runs an agent that the leg calls. */
  runAgent: (run: AgentRun, inputs: unknown) => Promise<LegResult>
}
