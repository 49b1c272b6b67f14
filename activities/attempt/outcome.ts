import type { TraceReference } from '../../store/ledger/entry.ts'

/** The recorded result of a call, or of an agent that is not the last: a result, or an error as data. */
export type OutcomeResult = { result: unknown } | { error: string }

/** The result of a tool execution: its outcome, and the thrown value. */
export interface Executed {
  outcome: OutcomeResult
  thrown?: { error: unknown; code: string }
}

/** Summary of an agent's work for the event of its end. */
export interface RunSummary {
  /** The agent's task_start. */
  start: TraceReference
  startedAt: Date
  /** Number of model calls. */
  steps: number
  tokens: { prompt: number; completion: number }
  /** For structured output: whether the model had to repair it. */
  repaired?: boolean
}
