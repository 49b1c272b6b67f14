import type { ZodType } from 'zod'
import type { Budget } from '../core/budget.ts'
import type { ModelSettings } from './models/model-settings.ts'
import type { NetworkRules } from './network/guard.ts'

/** A JSON Schema object. */
export type JsonSchema = Record<string, unknown>

/** What a tool or a `run` function gets beside its arguments. */
export interface AgentContext {
  jobId: string
  /** Name of the agent that runs. */
  agent: string
  /** Aborted when the execution is canceled or the worker shuts down. */
  signal: AbortSignal
  /** A structured log line that carries the job id and the agent. */
  log: (message: string, fields?: Record<string, unknown>) => void
  /** Reports progress to operators; never needed for staying alive, the activity beats by itself. */
  heartbeat: (detail?: unknown) => void
  /** Stays the same when the call, or the run, is made again after a crash: for systems that recognise a repetition. */
  callKey: string
  /**
   * Runs another agent as part of this job and gives its result. Recorded: when the code is entered again, the same agent
   * with the same inputs is not run again.
   */
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
  /** Does something once: when the code is entered again, its recorded result is given instead. */
  step: <Result>(name: string, work: () => Result | Promise<Result>) => Promise<Result>
  /** Waits, in ms, also for days: a long wait holds no worker, and the code is entered again from the top after it. */
  sleep: (durationMs: number) => Promise<void>
  /**
   * `fetch` for addresses that a model or a user names: it reaches the internet, and private networks only where `network`
   * or NETWORK_ALLOW_PRIVATE opens them. Ends with the run.
   * @throws NetworkError (`code` network_refused or response_too_large), or what `fetch` throws.
   */
  fetch: typeof fetch
}

export interface Tool {
  name: string
  description: string
  /** A JSON Schema of type object, or a zod object; without it the tool takes nothing. */
  parameters?: JsonSchema | ZodType
  execute: (args: never, context: AgentContext) => unknown
  /** Caches this tool's calls by their arguments. */
  cache?: CacheSetting
  /**
   * `safe` (the default): a call whose worker died before its result was recorded is made again. `never`: it is not; the
   * model reads that the outcome is unknown.
   */
  retry?: ToolRetry
  /** How long one call may take, in milliseconds, before it is an error for the model; default: as long as the run may. */
  timeoutMs?: number
}

/** A guardrail: true lets a value pass, a sentence refuses it and fails the run with `guardrail_refused`. */
export type Check = (value: never, context: AgentContext) => true | string | Promise<true | string>

export type ToolRetry = 'safe' | 'never'

/**
 * Whether equal calls share one answer, of one agent (`agent`, the default) or of all that would ask for exactly the same
 * (`all`), and how old a response may be (`ttlSeconds`). Without `ttlSeconds`, responses are kept until the cache is cleared.
 */
export type CacheSetting = boolean | { ttlSeconds?: number; scope?: 'agent' | 'all' }

export interface ScriptedCall {
  name: string
  arguments: Record<string, unknown>
}

/** What a script sees at each step: the conversation so far, and the results of all calls, oldest first. */
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
  /** How long the model takes to write its text, in milliseconds, word by word; default 0. */
  writeMs?: number
}

/** An agent as its module exports it. */
export interface AgentDefinition {
  name: string
  role: string
  goal: string
  /** System prompt of a model agent. */
  instructions?: string
  /** `provider/model`, or several in order of fallback; or `scripted`. */
  model?: string | string[]
  /** How the model is asked: temperature, topP, maxOutputTokens, reasoning, seed, stopSequences, providerOptions. */
  settings?: ModelSettings
  /**
   * Against slow answers: when nothing of one has come after `afterMs`, the same call is made a second time. The one that begins
   * to answer first counts; the other one is ended, and what it cost is counted too.
   */
  hedge?: { afterMs: number }
  /** What the inputs must be: a JSON Schema of type object, or a zod object. */
  input?: JsonSchema | ZodType
  /** What the agent's answer must be, in the same form. */
  output?: JsonSchema | ZodType
  /** How often a model is asked to mend an answer that does not fit `output`; default 1. */
  outputRepairs?: number
  /** Judges the inputs before anything is spent on them: true, or a sentence that refuses them. Done once a run. */
  checkInput?: Check
  /** Judges the answer, after `output`, before the run ends with it. */
  checkOutput?: Check
  tools?: Tool[]
  /** Names of other agents, offered to the model as tools. */
  delegates?: string[]
  /** Model calls before the run fails with code max_steps; default 20. */
  maxSteps?: number
  /**
   * What a run may use at most, with the agents that it calls: `usd`, `tokens`, `ms` (of models and tools at work), `modelCalls`,
   * `toolCalls`. An event says when `warnAt` (0.8) of it is spent. `onExceeded: 'answer'` keeps a tenth for one last answer.
   */
  budget?: Budget
  cache?: CacheSetting
  /** What `context.fetch` may reach beside, or instead of, the whole internet. */
  network?: NetworkRules
  script?: (state: ScriptState) => ScriptAnswer | Promise<ScriptAnswer>
  run?: (inputs: never, context: AgentContext) => unknown
}

/** Adds types to a tool: `execute` takes what its parameters describe. */
export function defineTool<Args>(
  tool: Omit<Tool, 'execute'> & { execute: (args: Args, context: AgentContext) => unknown },
): Tool {
  return tool
}

/** Adds types to a definition; an agent module needs no import without it. */
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  return definition
}
