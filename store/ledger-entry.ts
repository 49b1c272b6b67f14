import type { Content, EventType, ExecutionStatus, ModelUsage } from './documents.ts'

/** The id of an event that may not have been written yet; the ledger fills it in. */
export interface TraceReference {
  id: number | null
}

export interface EventDraft {
  type: EventType
  agent: string
  /** The parent event: its id, or the reference of an event in the same or an earlier entry. */
  parent: number | null | TraceReference
  /** JSON text of the payload object. */
  payload: string
  at: Date
  /** Gets the id once it is known. */
  reference?: TraceReference
}

/** How an execution ends; the first one recorded wins. */
export interface Finish {
  status: Exclude<ExecutionStatus, 'running'>
  outputs: Content | null
  error: string | null
  /** Submission to end, of a completed execution. */
  latencyMs: number
  at: Date
}

/**
 * What one step of an execution writes, all or nothing and once: a second entry under the same key is dropped whole.
 */
export interface LedgerEntry {
  jobId: string
  batchId: string | undefined
  /** Path of the step within its execution; with the job id its key. */
  path: string
  /**
   * Path of the later step that makes this one's record needless: written together, only that one is recorded, and once
   * that one is recorded this one counts as recorded too. Saves an instant run the record of its start.
   */
  until?: string
  /** What a retry needs to know of the step. */
  result?: Content | null
  events: EventDraft[]
  usage?: ModelUsage
  /** Marks the execution as started. */
  startedAt?: Date
  finish?: Finish
  /** The run of a canceled execution has really stopped. */
  stoppedAt?: Date
  /** The same, if it never started: what has not begun has nothing left to stop. Decided where the start is written too. */
  stoppedUnlessStartedAt?: Date
}

/** Whether this append wrote the step (false: it was recorded before), and the id of its first event. */
export interface Written {
  written: boolean
  traceId: number | undefined
}

/** Key of a step's record. */
export function stepKey(jobId: string, path: string): string {
  return `${jobId}|${path}`
}

/** A name as a MongoDB field name: no dot, no leading `$`, nothing that a path could read differently. */
export function fieldName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E').replaceAll('$', '%24')
}
