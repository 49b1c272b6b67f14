import type { OfferedTool } from '../../agents/models/model.ts'
import type { BudgetExceeded } from './budget-exceeded.ts'
import type { AgentAtWork } from './agent-at-work.ts'
import type { Transcript } from './transcript.ts'

/** An active model agent, with the data that stays the same from step to step. */
export interface ModelWork extends AgentAtWork {
  transcript: Transcript
  /** Set if a budget allows only one more call, without tools. */
  exceeded?: BudgetExceeded
  tools: OfferedTool[]
  /** Other agents that the model may call; their names differ from the tools' names. */
  delegates: ReadonlySet<string>
  /** Index of the agent's current model. The run stays with it, because caches and reasoning belong to one model. */
  model: number
}
