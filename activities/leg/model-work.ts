import type { OfferedTool } from '../../agents/models/model.ts'
import type { AgentAtWork } from './leg.ts'
import type { Transcript } from './transcript.ts'

/** A model agent at work, with what stays the same from step to step. */
export interface ModelWork extends AgentAtWork {
  transcript: Transcript
  tools: OfferedTool[]
  /** Other agents that the model may call, under names that no tool has. */
  delegates: ReadonlySet<string>
}
