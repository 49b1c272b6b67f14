/** Kinds of executions; `task` is a task of a batch. */
export const KINDS = ['prompt', 'job', 'task', 'chat'] as const

/** The kind of an execution. */
export type ExecutionKind = (typeof KINDS)[number]

/** Every status of an execution; all but `running` are final. */
export const STATUSES = ['running', 'completed', 'failed', 'canceled'] as const

/** The status of an execution. */
export type ExecutionStatus = (typeof STATUSES)[number]

/** The final status of an execution, or of an agent within it. */
export type EndStatus = Exclude<ExecutionStatus, 'running'>

/** The trace event types of the interface. */
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

/** The type of a trace event. */
export type EventType = (typeof EVENT_TYPES)[number]

/** A reference to one agent run within an execution. All other data is in MongoDB. */
export interface AgentRun {
  job: string
  /** The batch of an execution that is a task. */
  batch?: string
  /** Position of the run; see core/step-path.ts. */
  path: string
  /** Name of the agent. */
  agent: string
  /** Whether the end of this run ends the execution. */
  last: boolean
  /** Paths of called agents that currently run elsewhere. */
  elsewhere?: string[]
  /** The pool of a called agent that runs where it is hosted, as of the call. */
  pool?: string
  /** Budget ids of the calling agent, which a called agent draws from. */
  budgets?: string[]
  /**
   * For a delegated agent: the delegating agent, and the id of the delegated agent's task_start (null if events are not
   * kept). In the delegating agent's worker the event may not be committed yet; `start` is then a reference that
   * receives the id later.
   */
  by?: { agent: string; start: number | null | { id: number | null } }
}

/** A step of a leg, as displayed in Temporal. */
export interface StepNote {
  /** The called model, tool or agent. */
  name: string
  ms: number
  tokens?: number
}

/** A run that waits for its workflow: for agents of other pools, or for a time. */
export interface Parked {
  status: 'parked'
  /** Agents that must run where they are hosted before this run can continue. */
  calls: AgentRun[]
  /** The latest time to continue, in ms since the epoch; null to wait for the calls only. */
  until: number | null
  /** The reason for waiting, in words. */
  reason: string
}

/** The result of a leg: an end, or a wait for the workflow. */
export type LegResult = { status: EndStatus; steps?: StepNote[]; earlier?: number } | Parked

/** The result of beginning a leg as a local activity. */
export type LegStart =
  | LegResult
  | {
      /** The leg continues, or must begin, in a worker of this pool. */
      status: 'elsewhere'
      pool: string
      /** The agent's model, shown to operators; absent for plain code or if unknown here. */
      model?: string
    }

/** Tasks of a batch with `from` <= batch_index < `to` that run the same agent in the same pool. */
export interface TaskRange {
  batch: string
  from: number
  to: number
  agent: string
  pool: string
  /** Tasks in the range; fewer than its width if tasks of other agents lie between. */
  tasks: number
}
