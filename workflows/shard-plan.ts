import type { AgentPlace } from '../store/documents.ts'

/** Consecutive tasks of a batch that run the same agent: those with `from` <= batch_index < `to`. */
export interface Shard {
  batch: string
  from: number
  to: number
  agent: AgentPlace
}

/** The next shards of a batch, and where the one after them begins. */
export interface ShardPlan {
  shards: Shard[]
  next: number
}

/** Tasks of plain code in a shard: one activity runs them. */
export const CODE_SHARD_TASKS = 250
/** Tasks of model agents in a shard: one child workflow runs them, each step an activity. */
export const MODEL_SHARD_TASKS = 50
/** Shards of a batch in flight. */
export const SHARD_WINDOW = 8
