import type { ModelSpending } from '../../core/cost.ts'
import type { EndStatus, EventType } from '../../core/execution.ts'
import type { Take, Writer } from '../../core/transitions.ts'
import type { Content } from '../documents.ts'
import type { BudgetRest, Settlement } from '../spending/budgets.ts'

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
  /** How the agent's run has ended that it tells the end of. */
  ended?: EndStatus
}

/** How an execution ends; the first one recorded wins. */
export interface Finish {
  status: EndStatus
  outputs: Content | null
  error: string | null
  /** Submission to end, of a completed execution. */
  latencyMs: number
  at: Date
}

/** An attempt takes its run: nothing is written unless the run is held by the attempt that was seen. */
export interface TakeChange {
  /** The attempt that was seen; null when nobody had taken the run. */
  from: string | null
  take: Pick<Take, 'n' | 'worker' | 'lost' | 'records'>
  /** The run was let go, and goes on: whatever it waited for at Temporal, it does no more. */
  resumes?: true
}

/**
 * What one step of an execution writes, all or nothing and once: a second entry under the same key is dropped whole, and so
 * is one whose writer does not hold the run any more.
 */
export interface LedgerEntry {
  jobId: string
  batchId: string | undefined
  /** Path of the step within its execution, with the job id its key; without it nothing is recorded beside the events. */
  path?: string
  /** Undefined for a cancel, the reconciler, and whatever else does not write for an agent run. */
  writer?: Writer | undefined
  /** With the task_start of a run that begins, which is then part of the take. */
  take?: TakeChange
  /** The writer lets go of its run. */
  releases?: boolean
  /** With that: the provider's account that it waits for at Temporal from now on. */
  waitsFor?: string | undefined
  /** The writer's run ran alone for a while without harm. */
  acquits?: boolean
  /** What a retry needs to know of the step. */
  result?: Content | null
  events: EventDraft[]
  usage?: ModelSpending
  /** What the step used of budgets; what it had reserved of them is given back. */
  settlements?: Settlement[] | undefined
  /** The execution comes to rest: what its attempts have left reserved is given back. */
  rest?: BudgetRest | undefined
  /** Marks the execution as started. */
  startedAt?: Date
  finish?: Finish
  /** The run of a canceled execution has really stopped. */
  stoppedAt?: Date
  /** The same, if it never started: what has not begun has nothing left to stop. Decided where the start is written too. */
  completedAtIfNotStarted?: Date
}

/** What became of an entry. */
export interface AppendResult {
  /** Whether this append wrote the step; false: it was recorded before, or its writer was overtaken. */
  inserted: boolean
  /** Its writer does not hold the run any more, or the execution has come to rest. */
  overtaken: boolean
  /** Id of the step's last event, also of one that was recorded before; undefined where it wrote none. */
  traceId: number | undefined
}
