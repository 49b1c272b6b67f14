import type { Budget } from '../../core/budget.ts'
import type { ExecutionKind } from '../../core/execution.ts'
import type { KnownAgent } from '../../store/registry/agents.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Caller } from '../http/api-keys.ts'

export interface Submission {
  kind: ExecutionKind
  /** The agents that run, in order; at least one. */
  agents: KnownAgent[]
  mode: 'single' | 'sequential'
  prompt_name: string
  inputs: unknown
  no_cache: boolean
  replay_of?: string
  /** Who submits it. */
  caller: Pick<Caller, 'name' | 'weight'>
  /** What it may use at most. */
  budget?: Budget | undefined
  /** Ids are derived from it: a second submission with the same seed finds the first. */
  seed: string
}

export interface TaskSubmission {
  /** Existing or new; undefined makes one from the seed. */
  batch_id: string | undefined
  /** The batch must exist (add-tasks). */
  mustExist: boolean
  agent: KnownAgent
  tasks: unknown[]
  no_cache: boolean
  /** What all tasks of a new batch may use together. */
  budget?: Budget | undefined
  /** What each task may use. */
  task_budget?: Budget | undefined
  caller: Pick<Caller, 'name' | 'weight'>
  seed: string
}

export interface AddedTasks {
  batch_id: string
  agent_name: string
  /** Ids of the tasks of this call, in their order. */
  ids: string[]
  /** Tasks of the whole batch, these included. */
  total: number
}

/** Starts, cancels and awaits the workflows of executions and batches. */
export interface Runs {
  /** The workflow of an execution or batch has its id, with this before it. */
  workflowIdPrefix: string
  /**
   * Costs nothing: what could not be accepted is refused before it is read.
   * @throws TroupeError unavailable while as much waits as may wait
   */
  refuseWhenFull: () => void
  /**
   * Stores an execution and starts its workflow.
   * @throws TroupeError bad_request when the inputs do not fit the first agent; unavailable when MongoDB or Temporal cannot be reached; nothing was started then.
   */
  submit: (submission: Submission) => Promise<ExecutionDocument>
  /**
   * Stores tasks and tells the batch's workflow.
   * @throws TroupeError not_found, bad_request (a canceled batch, a task that does not fit the agent), unavailable
   */
  addTasks: (submission: TaskSubmission) => Promise<AddedTasks>
  /**
   * Cancels an execution; one that has ended stays as it is.
   * @throws TroupeError not_found
   */
  cancel: (id: string) => Promise<{ ok: boolean; status: ExecutionDocument['status'] }>
  /**
   * Cancels the tasks of a batch that have not ended.
   * @throws TroupeError not_found
   */
  cancelBatch: (id: string) => Promise<{ ok: boolean; status: string }>
  /**
   * Waits on the feed until an execution has its final status.
   * @returns the execution; undefined when `signal` fired first.
   */
  waitForEnd: (id: string, signal: AbortSignal) => Promise<ExecutionDocument | undefined>
  /** Waits until each of these tasks has ended; false when `signal` fired first. */
  waitForTasks: (batchId: string, ids: string[], signal: AbortSignal) => Promise<boolean>
  /** Whether Temporal answers soon. */
  ping: () => Promise<boolean>
}
