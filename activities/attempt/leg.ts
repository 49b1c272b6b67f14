import type { AgentRun, LegResult } from '../../core/execution.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'

/** What everything in a leg works with. */
export interface Leg {
  deps: ActivityDependencies
  attempt: Attempt
  /** As it was when the attempt began. */
  execution: ExecutionDocument
  /** Runs an agent that one of the leg calls. */
  runAgent: (run: AgentRun, inputs: unknown) => Promise<LegResult>
}
