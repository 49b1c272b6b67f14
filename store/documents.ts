import type { StoredSpending } from '../core/cost.ts'
import type { EndStatus, EventType, ExecutionKind, ExecutionStatus } from '../core/execution.ts'
import type { AccountLimits, AccountState } from '../core/provider-account.ts'
import type { Budget } from '../core/budget.ts'
import type { Take } from '../core/transitions.ts'

/** What is stored in MongoDB. Field names are the wire's (snake_case), times are Dates; a view is a projection. */

/** The location of a large payload in the object store. */
export interface Pointer {
  bucket: string
  key: string
  size_bytes: number
}

/**
 * A user's stored JSON value. It is stored as JSON text and never as BSON, so that `$`, dots, NUL, `__proto__` and lone
 * surrogates are preserved and no part of it can become an operator. Above the offload limit the text is in the object
 * store.
 */
export type Content = { json: string } | { pointer: Pointer }

/** The kind of an agent: based on a model, or plain code. */
export type AgentKind = 'model' | 'code'

/** The submitter whose share of the service the work uses. */
export interface Submitter {
  /** Name of the submitter's API key; null or absent if the service had no keys. */
  submitted_by?: string | null
  /** Weight of the key relative to other keys; absent: 1. */
  weight?: number | undefined
}

/** One run of an agent or chain: `_id` is the prompt id, job id, task id of the wire; its workflow's id ends with it. */
export interface ExecutionDocument extends Submitter {
  _id: string
  kind: ExecutionKind
  prompt_name: string
  mode: 'single' | 'sequential'
  /** The agents to run, in order. */
  agents: { name: string }[]
  status: ExecutionStatus
  /** A copy of the rare statuses that lists search for, so that its index costs successful runs nothing. */
  trouble?: 'failed' | 'canceled'
  inputs: Content
  outputs: Content | null
  error: string | null
  created_at: Date
  /** Set when the run is at rest; after a cancel this can be later than the status. */
  completed_at: Date | null
  /** By model; the key is made of provider and model and is a valid field name. */
  usage: Record<string, StoredSpending>
  /** A repeated request with the same seed has found it. */
  accepted?: boolean
  /** The execution's budget, as submitted. */
  budget?: Budget
  /** The task's batch has a budget. */
  batch_budget?: boolean
  /** Budgets hold amounts for the execution. */
  budgeted?: boolean
  /** Highest id of its trace events; absent before the first. Not indexed, because every step changes it. */
  last_trace_id?: number
  /** Start of the first agent. A canceled execution without this field is at rest. */
  started_at?: Date
  /** The writers of its agent runs, by the run's path as a field name. */
  takes?: Record<string, Take>
  /** The last restart of its workflow after a problem, and the number of restarts. */
  restarts?: Restarts
  batch_id?: string
  batch_index?: number
  replay_of?: string
  /** Calls ignore the cache. */
  no_cache?: boolean
}

/**
 * An execution that is not at rest; `_id` is its id. Searchable fields that change during a run are here, because
 * MongoDB recomputes every index of an execution's own document on each update.
 */
export interface OpenDocument extends Pick<
  ExecutionDocument,
  '_id' | 'kind' | 'prompt_name' | 'created_at' | 'batch_id' | 'batch_index'
> {
  /** The task of a batch has begun. */
  started?: true
  /** The execution is canceled but not at rest. */
  stopping?: true
  /** The task of a batch waits, or waited, under its own workflow. */
  detached?: true
  /** The provider account that its workflow waits for; absent otherwise. */
  waits_for?: string
}

/** One trace event; `_id` is its integer id. Ids become visible in order. */
export interface TraceDocument {
  _id: number
  job_id: string
  batch_id?: string
  agent_name: string
  event_type: EventType
  parent_id: number | null
  /** JSON text of the payload object; `{offloaded: true, pointer}` replaces large values. */
  payload: string
  timestamp: Date
  /** It is the last event of its execution in one commit. */
  last?: true
}

/** A recorded step of a run, which a retry does not repeat. `_id` is `<job_id>|<path>`. */
export interface StepDocument {
  _id: string
  job_id: string
  /** The step's result (a model's message, a tool's result, an agent's outputs); null for marks such as `start`. */
  result: Content | null
  /** Id of the step's last trace event; absent if it wrote none. */
  trace_id?: number
  /** The attempt that recorded the step; part of its objects' names. */
  attempt?: string
  at: Date
}

/** A stored piece of a watched response. `_id` is `<job_id>|<step>|<attempt>|<offset>`. */
export interface PartialDocument {
  _id: string
  job_id: string
  batch_id?: string
  agent_name: string
  /** Path of the model call. */
  step: string
  /** Start of the call, in ms since the epoch; each attempt at the step begins its text anew. */
  attempt: number
  /** Characters of the response before this piece, of all kinds. */
  offset: number
  kind: 'text' | 'reasoning' | 'tool_input'
  text: string
  at: Date
}

/** A watch of responses that are being written; `_id` is `job/<id>` or `batch/<id>`. */
export interface WatchDocument {
  _id: string
  until: Date
}

/** A batch. Its submitter is the submitter of its first tasks. */
export interface BatchDocument extends Submitter {
  _id: string
  agent_name: string
  status: 'submitted' | 'running' | 'completed' | 'canceled'
  task_count: number
  succeeded: number
  failed: number
  created_at: Date
  completed_at: Date | null
  /** When tasks were last added; for a submission in portions, its latest portion. */
  added_at?: Date
  /** The last time that tasks were added after the batch had completed; absent before. */
  revived_at?: Date
  /** Number of additions of tasks. */
  portions?: number
  /** Agents of its tasks. */
  agents?: string[]
  /** The budget of all its tasks together, as submitted. */
  budget?: Budget
  /** The budget of each task of its first submission. */
  task_budget?: Budget
  /**
   * Usage of its tasks, by model as in an execution; absent before the first call, and in batches of earlier versions.
   */
  usage?: Record<string, StoredSpending>
  /** The last restart of its workflow after a problem, and the number of restarts. */
  restarts?: Restarts
}

/** The number of a workflow's restarts, and the time of the last one. */
export interface Restarts {
  count: number
  at: Date
}

/** An agent as registered by the workers of a pool; `_id` is `<name>|<pool>`. */
export interface AgentDocument {
  _id: string
  name: string
  role: string
  goal: string
  pool: string
  kind: AgentKind
  tools: { name: string; description: string; parameters: string }[]
  /** JSON text of the schemas of its inputs and its output; absent if it has none. */
  input?: string
  output?: string
  /** In order of preference; empty for plain code, absent if an earlier version registered the agent. */
  models?: string[]
  /** Its model, if its workers know no price for it. */
  unpriced?: string
  /** The last beat of a worker in this pool that hosts the agent. */
  last_seen: Date
}

/** A live worker process; `_id` is random and never reused. */
export interface WorkerDocument {
  _id: string
  /** Process and host, for people. */
  identity: string
  pool: string
  /** Counts the worker's beats; a count that stops belongs to a dead or frozen worker. */
  beats: number
}

/** A range of a batch's tasks that a worker holds; `_id` is `<batch>|<first index>`. */
export interface RangeDocument {
  _id: string
  /** Id of the worker. */
  worker: string
  at: Date
}

/** The counts of one writer within a minute. */
export interface MinuteCounts {
  created?: number
  completed?: number
  failed?: number
  canceled?: number
  /** Completed executions by latency bucket; see core/latency-histogram.ts. */
  latency?: Record<string, number>
  usage?: Record<string, StoredSpending>
  /** Ends of agent runs, by the agent's name as a field name; see store/registry/agent-hours.ts. */
  agents?: Record<string, AgentEnds>
}

/** Counts of an agent's ended runs, by status. */
export type AgentEnds = Partial<Record<EndStatus, number>>

/** A provider account, shared by workers; `_id` is such as `openai` or `anthropic/claude-sonnet-5`. */
export interface AccountDocument extends AccountState {
  _id: string
  /** Version of the document; a change based on an older version is computed again. */
  v: number
  /** The operator's limits in the configuration of the latest writer; null if it had none. */
  configured: AccountLimits | null
  at: Date
}

/** A cached response of a model or tool, or the right to produce it; see answers.ts. */
export interface CacheDocument {
  _id: string
  /** JSON text; absent while the response is being produced, and if it is in the object store. */
  answer?: string
  pointer?: Pointer
  at: Date
  expires_at: Date | null
  /** The agent that made the call. */
  agent?: string
  /** The producer of the response, and the time until which others wait for it. */
  lease?: string
  leased_until?: Date
}

/** A submission under an Idempotency-Key; `_id` is a hash of API key, method, path and key. */
export interface IdempotencyDocument {
  _id: string
  body_hash: string
  /** Seed of all ids that the request creates, so that a repeated request creates the same ids. */
  seed: string
  /** JSON from which the response is built; null until the work is done. */
  facts: string | null
  /** The time until which the responding process counts as alive. */
  leased_until: Date
  created_at: Date
}

/** Counters that are maintained on write: the last trace id and the totals behind /api/metrics. */
export interface CounterDocument {
  _id: string
  last_trace_id?: number
  /** Executions ever submitted; spread over several documents. */
  submitted?: number
  /** Submitted executions that were deleted; spread likewise. */
  deleted?: number
  completed_jobs?: number
  failed_jobs?: number
  /** Sum over completed executions, from submission to end. */
  latency_ms_total?: number
  tool_calls?: number
  cache_hits?: number
  total_tokens?: number
  /** By the agent's name as a field name. */
  agents?: Record<string, { trace_count?: number; executions?: number; last_executed?: Date }>
  /** Counts of the current minute, by its number since 1970; see store/ledger/series.ts. */
  minutes?: Record<string, MinuteCounts>
}
