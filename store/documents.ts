import type { StoredSpending } from '../core/cost.ts'
import type { EndStatus, EventType, ExecutionKind, ExecutionStatus } from '../core/execution.ts'
import type { AccountLimits, AccountState } from '../core/provider-account.ts'
import type { Budget } from '../core/budget.ts'
import type { Take } from '../core/transitions.ts'

/** What is stored in MongoDB. Field names are the wire's (snake_case), times are Dates; a view is a projection. */

/** Where a large payload lies in the object store. */
export interface Pointer {
  bucket: string
  key: string
  size_bytes: number
}

/**
 * A user's JSON value at rest. It is kept as JSON text, never as BSON: `$`, dots, NUL, `__proto__` and lone surrogates
 * come back unchanged and nothing in it can become an operator. Above the offload limit the text lies in the object store.
 */
export type Content = { json: string } | { pointer: Pointer }

/** How an agent works: by a model, or as plain code. */
export type AgentKind = 'model' | 'code'

/** Whose share of the service something takes. */
export interface Submitter {
  /** Name of the API key that submitted it; null or absent where the service had no keys. */
  submitted_by?: string | null
  /** The key's share beside others'; absent: 1. */
  weight?: number | undefined
}

/** One run of an agent or chain: `_id` is the prompt id, job id, task id of the wire; its workflow's id ends with it. */
export interface ExecutionDocument extends Submitter {
  _id: string
  kind: ExecutionKind
  prompt_name: string
  mode: 'single' | 'sequential'
  /** The agents that run, in order. */
  agents: { name: string }[]
  status: ExecutionStatus
  /** The status again, where it is one of the few that are looked for: an index of it costs nothing where all goes well. */
  trouble?: 'failed' | 'canceled'
  inputs: Content
  outputs: Content | null
  error: string | null
  created_at: Date
  /** Set when the run has really stopped; after a cancel that can be later than the status. */
  completed_at: Date | null
  /** By model, under a key made of provider and model that is safe as a field name. */
  usage: Record<string, StoredSpending>
  /** A second try under its seed has found it. */
  accepted?: boolean
  /** What it may use at most, as it was submitted. */
  budget?: Budget
  /** A task whose batch has a budget. */
  batch_budget?: boolean
  /** Budgets were drawn from for it. */
  budgeted?: boolean
  /** Highest id of a trace event of this execution; absent before the first. No index: every step changes it. */
  last_trace_id?: number
  /** When its first agent started; absent before. A canceled execution without it has nothing left to stop. */
  started_at?: Date
  /** Who may write for its agent runs, by the run's path as a field name. */
  takes?: Record<string, Take>
  /** When its workflow was last started anew because it could not go on, and how often. */
  restarts?: Restarts
  batch_id?: string
  batch_index?: number
  replay_of?: string
  /** Calls are made anew, whatever the cache has. */
  no_cache?: boolean
}

/**
 * An execution that has not come to rest; `_id` is its id. What changes on every run's way, and has to be found, is found
 * here: in executions themselves each index would be worked out anew whenever one of them is touched.
 */
export interface OpenDocument extends Pick<
  ExecutionDocument,
  '_id' | 'kind' | 'prompt_name' | 'created_at' | 'batch_id' | 'batch_index'
> {
  /** A task of a batch that has begun. */
  started?: true
  /** It is canceled, and goes on until it has stopped. */
  stopping?: true
  /** A task of a batch that waits, or waited, under a workflow of its own. */
  detached?: true
  /** The provider's account that it waits for at Temporal; absent while it does not. */
  waits_for?: string
}

/** One trace event: `_id` is its integer id; ids become visible in their order. */
export interface TraceDocument {
  _id: number
  job_id: string
  batch_id?: string
  agent_name: string
  event_type: EventType
  parent_id: number | null
  /** JSON text of the payload object; large values in it are replaced by `{offloaded: true, pointer}`. */
  payload: string
  timestamp: Date
  /** Of those of its execution that were committed together, the last one. */
  last?: true
}

/** One recorded step of a run: what makes a retry skip what was done. `_id` is `<job_id>|<path>`. */
export interface StepDocument {
  _id: string
  job_id: string
  /** What the step answered (a model's message, a tool's result, an agent's outputs); null for marks such as `start`. */
  result: Content | null
  /** Id of the step's last trace event; absent where it wrote none. */
  trace_id?: number
  /** The attempt that recorded it: part of the names of its objects. */
  attempt?: string
  at: Date
}

/** A piece of an answer that a model is writing, while somebody watches. `_id` is `<job_id>|<step>|<attempt>|<offset>`. */
export interface PartialDocument {
  _id: string
  job_id: string
  batch_id?: string
  agent_name: string
  /** Path of the model call. */
  step: string
  /** When the call began, in ms since the epoch: a later attempt at the step begins its text anew. */
  attempt: number
  /** Characters of the answer before this piece, of all kinds. */
  offset: number
  kind: 'text' | 'reasoning' | 'tool_input'
  text: string
  at: Date
}

/** Somebody watches answers being written; `_id` is `job/<id>` or `batch/<id>`. */
export interface WatchDocument {
  _id: string
  until: Date
}

/** The submitter is that of its first tasks. */
export interface BatchDocument extends Submitter {
  _id: string
  agent_name: string
  status: 'submitted' | 'running' | 'completed' | 'canceled'
  task_count: number
  succeeded: number
  failed: number
  created_at: Date
  completed_at: Date | null
  /** When tasks were last added: of a submission in portions, its last portion so far. */
  added_at?: Date
  /** When tasks were last added after it had completed; absent before. */
  revived_at?: Date
  /** Times that tasks were added. */
  portions?: number
  /** Agents that its tasks run. */
  agents?: string[]
  /** What all of its tasks together may use, as it was submitted. */
  budget?: Budget
  /** What each task of its first submission may use. */
  task_budget?: Budget
  /** What its tasks used, by model as in an execution; absent before the first call, and in batches of earlier versions. */
  usage?: Record<string, StoredSpending>
  /** When its workflow was last started anew because it could not go on, and how often. */
  restarts?: Restarts
}

/** How often a workflow was started anew, and when the last time was. */
export interface Restarts {
  count: number
  at: Date
}

/** An agent as the workers of a pool registered it; `_id` is `<name>|<pool>`. */
export interface AgentDocument {
  _id: string
  name: string
  role: string
  goal: string
  pool: string
  kind: AgentKind
  tools: { name: string; description: string; parameters: string }[]
  /** JSON text of the schemas of its inputs and of its answer; absent where it has none. */
  input?: string
  output?: string
  /** In the order in which they are asked; empty for plain code, absent where an earlier version registered it. */
  models?: string[]
  /** Its model, where its workers know no price of it. */
  unpriced?: string
  /** The last beat of a worker of this pool that hosts it. */
  last_seen: Date
}

/** A worker process that lives; `_id` is random and never used again. */
export interface WorkerDocument {
  _id: string
  /** Process and host, for people. */
  identity: string
  pool: string
  /** Counts its beats: one that stands still belongs to a worker that died or froze. */
  beats: number
}

/** A range of a batch's tasks that a worker has; `_id` is `<batch>|<first index>`. */
export interface RangeDocument {
  _id: string
  /** Id of the worker. */
  worker: string
  at: Date
}

/** What one writer counted within a minute. */
export interface MinuteCounts {
  created?: number
  completed?: number
  failed?: number
  canceled?: number
  /** Completed executions by the bucket of their latency; see core/latency-histogram.ts. */
  latency?: Record<string, number>
  usage?: Record<string, StoredSpending>
  /** How runs of agents ended, by the agent's name as a field name; see store/registry/agent-hours.ts. */
  agents?: Record<string, AgentEnds>
}

/** How runs of an agent ended. */
export type AgentEnds = Partial<Record<EndStatus, number>>

/** What the workers share of a provider's account; `_id` is its name, such as `openai` or `anthropic/claude-sonnet-5`. */
export interface AccountDocument extends AccountState {
  _id: string
  /** Counts its changes: one that rests on an older state is made anew. */
  v: number
  /** What the operator allows it, as the worker that wrote last was told; null where nothing was. */
  configured: AccountLimits | null
  at: Date
}

/** A model's or tool's answer kept for reuse, or the right to make it; see answers.ts. */
export interface CacheDocument {
  _id: string
  /** JSON text; absent while the answer is being made, and where it lies in the object store. */
  answer?: string
  pointer?: Pointer
  at: Date
  expires_at: Date | null
  /** The agent whose call it was. */
  agent?: string
  /** Who makes the answer, and until when others wait for it. */
  lease?: string
  leased_until?: Date
}

/** A submission made under an Idempotency-Key: `_id` is a hash of API key, method, path and key. */
export interface IdempotencyDocument {
  _id: string
  body_hash: string
  /** Ids of what the request creates are derived from it, so that a second try creates the same. */
  seed: string
  /** JSON of what the answer is made from; null until the work is done. */
  facts: string | null
  /** Until when the process that answers is believed alive. */
  leased_until: Date
  created_at: Date
}

/** Numbers that are added up while writing: the last trace id and the totals behind /api/metrics. */
export interface CounterDocument {
  _id: string
  last_trace_id?: number
  /** Executions that were ever submitted; spread over several documents. */
  submitted?: number
  /** Of those, executions that were deleted since; spread like them. */
  deleted?: number
  completed_jobs?: number
  failed_jobs?: number
  /** Of completed executions, from submission to end. */
  latency_ms_total?: number
  tool_calls?: number
  cache_hits?: number
  total_tokens?: number
  /** By the agent's name as a field name. */
  agents?: Record<string, { trace_count?: number; executions?: number; last_executed?: Date }>
  /** What the current minute adds up, by its number since 1970; see store/ledger/series.ts. */
  minutes?: Record<string, MinuteCounts>
}
