import type { ModelSpending } from '../../core/cost.ts'
import type { EndStatus, EventType } from '../../core/execution.ts'
import type { Take, Writer } from '../../core/transitions.ts'
import type { Content } from '../documents.ts'
import type { BudgetRest, Settlement } from '../spending/budgets.ts'

/** The id of an event that may not be written yet; the ledger fills it in. */
export interface TraceReference {
  id: number | null
}

export interface EventDraft {
  type: EventType
  agent: string
  /**
   * The parent event: its id, or the reference of an event in the same or an earlier entry. `root` is the execution's
   * latest root task_start at the time of the write; null if there is none.
   */
  parent: number | null | TraceReference | 'root'
  /** JSON text of the payload object. */
  payload: string
  at: Date
  /** Receives the id once it is known. */
  reference?: TraceReference
  /** The status of the agent run whose end the event reports. */
  ended?: EndStatus
}

/** The end of an execution; the first recorded end is final. */
export interface Finish {
  status: EndStatus
  outputs: Content | null
  error: string | null
  /** From submission to end, for a completed execution. */
  latencyMs: number
  at: Date
}

/** An attempt takes its run. Nothing is written unless the run is still held by the expected attempt. */
export interface TakeChange {
  /** The expected attempt; null if the run was not taken. */
  from: string | null
  take: Pick<Take, 'n' | 'worker' | 'lost' | 'records'>
  /** The run was released and now continues, so its workflow no longer waits. */
  resumes?: true
}

/**
 * The writes of one step of an execution, atomic and exactly once. A second entry with the same key is dropped
 * entirely, and so is an entry whose writer no longer holds the run.
 */
export interface LedgerEntry {
  jobId: string
  batchId: string | undefined
  /** Path of the step within its execution, which with the job id forms the key; without it only events are written. */
  path?: string
  /** Undefined for entries outside of an agent run, such as those of a cancel or the reconciler. */
  writer?: Writer | undefined
  /** Contains the task_start of a beginning run, which is then part of the take. */
  take?: TakeChange
  /** The writer releases its run. */
  releases?: boolean
  /** With a release: the provider account that the workflow waits for from now on. */
  waitsFor?: string | undefined
  /** The writer's run ran alone for a while without harm. */
  acquits?: boolean
  /** The result of the step, which a retry needs. */
  result?: Content | null
  events: EventDraft[]
  usage?: ModelSpending
  /** The step's usage of budgets; its reservations are released. */
  settlements?: Settlement[] | undefined
  /** The execution comes to rest: remaining reservations of its attempts are released. */
  rest?: BudgetRest | undefined
  /** Marks the execution as started. */
  startedAt?: Date
  finish?: Finish
  /** The run of a canceled execution is at rest. */
  stoppedAt?: Date
  /**
   * The time of the end if the execution never started, because there is then nothing left to stop. The update decides
   * this, because it also writes the start.
   */
  completedAtIfNotStarted?: Date
}

/** The outcome of an entry. */
export interface AppendResult {
  /** Whether this append wrote the step. False if the step was recorded before or its writer was overtaken. */
  inserted: boolean
  /** The writer no longer holds the run, or the execution is at rest. */
  overtaken: boolean
  /** Id of the step's last event, even if the step was recorded before; undefined if it wrote none. */
  traceId: number | undefined
}
