import type { Budget } from '../../core/budget.ts'
import type { ExecutionKind } from '../../core/execution.ts'
import type { KnownAgent } from '../../store/registry/agents.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Caller } from '../http/api-keys.ts'

export interface Submission {
  kind: ExecutionKind
  /** The agents of the execution in order; at least one. */
  agents: KnownAgent[]
  mode: 'single' | 'sequential'
  prompt_name: string
  inputs: unknown
  no_cache: boolean
  replay_of?: string
  /** The submitter. */
  caller: Pick<Caller, 'name' | 'weight'>
  /** Limits for the execution. */
  budget?: Budget | undefined
  /** The source of all ids, so that a repeated submission with the same seed finds the first. */
  seed: string
}

export interface TaskSubmission {
  /** Id of an existing or new batch; undefined derives one from the seed. */
  batch_id: string | undefined
  /** Whether the batch must exist (add-tasks). */
  mustExist: boolean
  agent: KnownAgent
  tasks: unknown[]
  no_cache: boolean
  /** Limits for all tasks of a new batch together. */
  budget?: Budget | undefined
  /** Limits for each task. */
  task_budget?: Budget | undefined
  caller: Pick<Caller, 'name' | 'weight'>
  seed: string
}

export interface AddedTasks {
  batch_id: string
  agent_name: string
  /** Ids of the tasks of this request, in order. */
  ids: string[]
  /** Number of tasks of the whole batch, including these. */
  total: number
}

/** Starts, cancels and awaits the workflows of executions and batches. */
export interface Runs {
  /** The workflow id of an execution or batch is this prefix followed by its id. */
  workflowIdPrefix: string
  /**
   * Rejects a submission at no cost, before its body is read.
   * @throws TroupeError unavailable while the backlog is full
   */
  refuseWhenFull: () => void
  /**
   * Stores an execution and starts its workflow.
   * @throws TroupeError bad_request when the inputs do not match the schema of the first agent; unavailable when MongoDB or Temporal cannot be reached.
   */
  submit: (submission: Submission) => Promise<ExecutionDocument>
  /**
   * Stores tasks and signals the workflow of the batch.
   * @throws TroupeError not_found, bad_request (a canceled batch, or a task that does not match the agent's schema), unavailable
   */
  addTasks: (submission: TaskSubmission) => Promise<AddedTasks>
  /**
   * Cancels an execution; does nothing if it has ended.
   * @throws TroupeError not_found
   */
  cancel: (id: string) => Promise<{ ok: boolean; status: ExecutionDocument['status'] }>
  /**
   * Cancels the unfinished tasks of a batch.
   * @throws TroupeError not_found
   */
  cancelBatch: (id: string) => Promise<{ ok: boolean; status: string }>
  /**
   * Waits until an execution has its final status.
   * @returns the execution; undefined when `signal` fired first.
   */
  waitForEnd: (id: string, signal: AbortSignal) => Promise<ExecutionDocument | undefined>
  /** Waits until all of these tasks have ended; false when `signal` fired first. */
  waitForTasks: (batchId: string, ids: string[], signal: AbortSignal) => Promise<boolean>
  /** Whether Temporal responds in time. */
  ping: () => Promise<boolean>
}
