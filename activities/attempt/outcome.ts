import type { TraceReference } from '../../store/ledger/entry.ts'

/** Recorded result of a call, or of an agent that is not the last: a result, or an error as data. */
export type OutcomeResult = { result: unknown } | { error: string }

/** What came of executing a tool: its outcome, and what it threw. */
export interface Executed {
  outcome: OutcomeResult
  thrown?: { error: unknown; code: string }
}

/** What the end of an agent says about the way there. */
export interface RunSummary {
  /** Its task_start. */
  start: TraceReference
  startedAt: Date
  /** Model calls made. */
  steps: number
  tokens: { prompt: number; completion: number }
  /** Of a structured answer: whether the model had to mend it. */
  repaired?: boolean
}
