/** How executions come in: `task` is a task of a batch. */
export const KINDS = ['prompt', 'job', 'task', 'chat'] as const

/** How one of them came in. */
export type ExecutionKind = (typeof KINDS)[number]

/** Every status of an execution; all but `running` are final. */
export const STATUSES = ['running', 'completed', 'failed', 'canceled'] as const

/** Where an execution stands. */
export type ExecutionStatus = (typeof STATUSES)[number]

/** How an execution, or an agent within it, ended. */
export type EndStatus = Exclude<ExecutionStatus, 'running'>

/** The kinds of trace events of the interface. */
export const EVENT_TYPES = [
  'task_start',
  'task_complete',
  'tool_call',
  'llm_usage',
  'cache_hit',
  'delegation',
  'error',
  'task_cancel_requested',
  'budget_warning',
  'model_fallback',
] as const

/** One of them. */
export type EventType = (typeof EVENT_TYPES)[number]

/** One agent at work within an execution, by reference: everything else is in MongoDB. */
export interface AgentRun {
  job: string
  /** The batch that the execution is a task of. */
  batch?: string
  /** Its position; see core/step-path.ts. */
  path: string
  /** Name of the agent. */
  agent: string
  /** Whether its end is the end of the execution. */
  last: boolean
  /** Paths of agents that it called and that run elsewhere meanwhile. */
  elsewhere?: string[]
  /** Of a called agent that is run where it is hosted: that pool, as it was when the agent was called. */
  pool?: string
  /** Of a called agent: ids of the budgets that the agent which called it draws from. */
  budgets?: string[]
  /**
   * Of a delegated agent: who delegated, and the id of that agent's task_start (null when events are not kept). In the worker of
   * the one who delegates that event may be under way to the database still: then it is a reference that gets the id.
   */
  by?: { agent: string; start: number | null | { id: number | null } }
}

/** A step of a leg as an operator reads it in Temporal. */
export interface StepNote {
  /** The model, tool or agent that was called. */
  name: string
  ms: number
  tokens?: number
}

/** A run that cannot go on before what only its workflow can give: agents of other pools, or a time to come. */
export interface Parked {
  status: 'parked'
  /** Agents to be run where they are hosted, before the run can go on. */
  calls: AgentRun[]
  /** When to go on at the latest, in ms since the epoch; null waits for the calls alone. */
  until: number | null
  /** What is waited for, in words. */
  reason: string
}

/** What a leg came back with: an end, or what only its workflow can give. */
export type LegResult = { status: EndStatus; steps?: StepNote[]; earlier?: number } | Parked

/** What became of a leg that was to begin beside its workflow task. */
export type LegStart =
  | LegResult
  | {
      /** It goes on, or is to be begun, in a pool's worker. */
      status: 'elsewhere'
      pool: string
      /** Name of the agent's model, for operators; absent where it is plain code, or not known here. */
      model?: string
    }

/** Consecutive tasks of a batch that run the same agent in the same pool: those with `from` <= batch_index < `to`. */
export interface TaskRange {
  batch: string
  from: number
  to: number
  agent: string
  pool: string
  /** Tasks of the range; fewer than its width where other agents' tasks lie between. */
  tasks: number
}
