import type { OfferedTool } from '../../agents/models/model.ts'
import type { BudgetExceeded } from './budget-exceeded.ts'
import type { AgentAtWork } from './agent-at-work.ts'
import type { Transcript } from './transcript.ts'

/** A model agent at work, with what stays the same from step to step. */
export interface ModelWork extends AgentAtWork {
  transcript: Transcript
  /** Set when a budget allows only one more call, without tools. */
  exceeded?: BudgetExceeded
  tools: OfferedTool[]
  /** Other agents that the model may call, under names that no tool has. */
  delegates: ReadonlySet<string>
  /** Which of the agent's models it asks: caches and reasoning are a model's own, so it stays with it. */
  model: number
}
