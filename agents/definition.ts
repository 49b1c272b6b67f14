import type { ZodType } from 'zod'
import type { Budget } from '../core/budget.ts'
import type { ModelSettings } from './models/model-settings.ts'
import type { NetworkRules } from './network/guard.ts'

/** A JSON Schema object. */
export type JsonSchema = Record<string, unknown>

/** The context of a tool or a `run` function, passed beside its arguments. */
export interface AgentContext {
  jobId: string
  /** Name of the running agent. */
  agent: string
  /** Aborted when the execution is canceled or the worker shuts down. */
  signal: AbortSignal
  /** Writes a structured log line with the job id and the agent. */
  log: (message: string, fields?: Record<string, unknown>) => void
  /** Reports progress to operators. It is not needed to keep the activity alive, which sends its own heartbeats. */
  heartbeat: (detail?: unknown) => void
  /**
   * Stays the same when the call or the run is repeated after a crash, so that other systems can recognise the
   * repetition.
   */
  callKey: string
  /**
   * Runs another agent as part of this job and returns its result. The result is recorded: if the code is entered
   * again, the same agent with the same inputs does not run again.
   */
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
  /** Runs `work` once. If the code is entered again, it returns the recorded result. */
  step: <Result>(name: string, work: () => Result | Promise<Result>) => Promise<Result>
  /**
   * Waits for a time in ms, even for days. A long wait occupies no worker; after it, the code is entered again from the
   * top.
   */
  sleep: (durationMs: number) => Promise<void>
  /**
   * `fetch` for URLs that come from a model or a user. It reaches the internet, and private networks only if `network`
   * or NETWORK_ALLOW_PRIVATE opens them. Its requests end with the run.
   * @throws NetworkError (`code` network_refused or response_too_large), or the errors of `fetch`.
   */
  fetch: typeof fetch
}

export interface Tool {
  name: string
  description: string
  /** A JSON Schema of type object, or a zod object. Without it, the tool takes no arguments. */
  parameters?: JsonSchema | ZodType
  execute: (args: never, context: AgentContext) => unknown
  /** Caches the tool's calls by their arguments. */
  cache?: CacheSetting
  /**
   * `safe` (the default): the call is repeated if its worker died before the result was recorded. `never`: the call is
   * not repeated; the model reads that the outcome is unknown.
   */
  retry?: ToolRetry
  /**
   * Time limit of one call in ms, after which the model reads an error. By default only the run's own limit applies.
   */
  timeoutMs?: number
}

/** A guardrail. True accepts the value; a sentence refuses it and fails the run with `guardrail_refused`. */
export type Check = (value: never, context: AgentContext) => true | string | Promise<true | string>

export type ToolRetry = 'safe' | 'never'

/**
 * Whether equal calls share one response: those of one agent (`agent`, the default) or of all agents with exactly the
 * same request (`all`). `ttlSeconds` limits the age of a response; by default, responses are kept until the cache is
 * cleared.
 */
export type CacheSetting = boolean | { ttlSeconds?: number; scope?: 'agent' | 'all' }

export interface ScriptedCall {
  name: string
  arguments: Record<string, unknown>
}

/**
 * The state that a script receives at each step: the conversation so far and the results of all calls, oldest first.
 */
export interface ScriptState {
  inputs: unknown
  messages: unknown[]
  /** Number of the model call, from 0. */
  step: number
  results: { name: string; arguments: unknown; result?: unknown; error?: string }[]
  tools: { name: string; parameters: JsonSchema }[]
  agent: string
}

export type ScriptAnswer = ({ text: string } | { toolCalls: ScriptedCall[] }) & {
  usage?: { prompt_tokens: number; completion_tokens: number }
  /** How long the model takes to write its text word by word, in ms; default 0. */
  writeMs?: number
}

/** An agent as its module exports it. */
export interface AgentDefinition {
  name: string
  role: string
  goal: string
  /** System prompt of a model agent. */
  instructions?: string
  /** `provider/model`, or several of them in order of fallback, or `scripted`. */
  model?: string | string[]
  /** Settings of the model: temperature, topP, maxOutputTokens, reasoning, seed, stopSequences, providerOptions. */
  settings?: ModelSettings
  /**
   * Limits the effect of slow responses. If no part of a response has arrived after `afterMs`, the same call is made a
   * second time. The first call to begin a response counts. The other one is ended, and its cost is counted too.
   */
  hedge?: { afterMs: number }
  /** Schema of the inputs: a JSON Schema of type object, or a zod object. */
  input?: JsonSchema | ZodType
  /** Schema of the agent's output, in the same form. */
  output?: JsonSchema | ZodType
  /** How often the model is asked to repair an output that does not fit `output`; default 1. */
  outputRepairs?: number
  /**
   * Checks the inputs before the run spends anything: true, or a sentence that refuses them. It is called once per run.
   */
  checkInput?: Check
  /** Checks the output, after `output`, before the run ends with it. */
  checkOutput?: Check
  tools?: Tool[]
  /** Names of other agents that the model may call as tools. */
  delegates?: string[]
  /** Maximum number of model calls; then the run fails with code max_steps. Default 20. */
  maxSteps?: number
  /**
   * Limits of a run, including the agents that it calls: `usd`, `tokens`, `ms` (working time of models and tools),
   * `modelCalls`, `toolCalls`. An event reports when `warnAt` (0.8) of a limit is spent. `onExceeded: 'answer'`
   * reserves a tenth for one last response.
   */
  budget?: Budget
  cache?: CacheSetting
  /** The hosts that `context.fetch` may reach beside, or instead of, the whole internet. */
  network?: NetworkRules
  script?: (state: ScriptState) => ScriptAnswer | Promise<ScriptAnswer>
  run?: (inputs: never, context: AgentContext) => unknown
}

/** Adds types to a tool: `execute` takes the arguments that its parameters describe. */
export function defineTool<Args>(
  tool: Omit<Tool, 'execute'> & { execute: (args: Args, context: AgentContext) => unknown },
): Tool {
  return tool
}

/** Adds types to a definition. It is optional: without it, an agent module needs no import. */
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  return definition
}
