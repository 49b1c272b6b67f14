import type { AgentDefinition, JsonSchema } from '../definition.ts'
import type { RateLimits } from './rate-limits.ts'

/** A call that a model asks for. `id` is the provider's own. */
export interface ModelToolCall {
  id: string
  name: string
  /** Parsed arguments; a model that wrote malformed JSON gives the text in `malformed` instead. */
  arguments: Record<string, unknown>
  malformed?: string
}

/** What one call of a model's gave, as the model is told. */
export interface ModelToolResult {
  id: string
  name: string
  /** JSON text of the tool's result, or the error's sentence. */
  output: string
  isError: boolean
}

/** One turn of the stored conversation, in the form every provider's messages are made from. */
export type Turn =
  | { role: 'user'; text: string }
  | {
      role: 'assistant'
      text: string
      calls: ModelToolCall[]
      /** The answer's `message`, for the provider that made it; another provider gets text and calls only. */
      message?: unknown
      /** The answer's `provider`. */
      provider?: string
    }
  | { role: 'tool'; results: ModelToolResult[] }

/** A tool, or a delegate, as the model sees it. */
export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
  /** Whether the provider shall hold the model to the schema, where it can. */
  strict?: boolean
}

/** A piece of an answer that is being written. */
export interface ModelDelta {
  kind: 'text' | 'reasoning' | 'tool_input'
  text: string
}

/** One model call. */
export interface ModelRequest {
  agent: AgentDefinition
  /** The execution's inputs, for scripts. */
  inputs: unknown
  turns: Turn[]
  tools: OfferedTool[]
  /** Number of this model call, from 0. */
  step: number
  signal: AbortSignal
  /** The answer's text shall be JSON of this schema, by the provider's own structured mode. The answer is not checked. */
  output?: JsonSchema
  /** The longest answer that may be paid for; wins over the agent's settings. */
  maxOutputTokens?: number
  /** Tools are described, so that the conversation stays what it was, and none may be called. */
  noTools?: boolean
  /** What calls with a common prefix share, such as the job's id: providers find their cached prompt by it. */
  cacheKey?: string
  /** Hears the answer while it is written. Must not throw. */
  onDelta?: (delta: ModelDelta) => void
}

/** What a call used, in tokens. */
export interface ModelUsage {
  /** Everything that was sent, `cached_tokens` and `cache_write_tokens` included. */
  prompt_tokens: number
  /** Everything that was generated, `reasoning_tokens` included. */
  completion_tokens: number
  /** The part of the prompt that the provider read from its cache. */
  cached_tokens: number
  /** The part of the prompt that the provider wrote to its cache. */
  cache_write_tokens: number
  /** Of `cache_write_tokens`, those that the cache keeps for an hour, which cost more; absent where there are none. */
  cache_write_1h_tokens?: number
  reasoning_tokens: number
  /** What the provider calls the tier in which it served the call; absent where it does not say. */
  service_tier?: string
  /** measured: the provider said so; estimated: counted by us, at least in part; unknown: nobody did. */
  source: UsageSource
  /** The same of the prompt alone, which may have been told before an answer broke off. */
  prompt_source: UsageSource
}

/** Who counted. */
export type UsageSource = 'measured' | 'estimated' | 'unknown'

/** What a model answered. */
export interface ModelAnswer {
  provider: string
  model: string
  text: string
  calls: ModelToolCall[]
  usage: ModelUsage
  /**
   * The whole answer as JSON that only its provider understands: reasoning, signatures, the provider's ids. It goes back
   * unchanged as `message` of the assistant's turn. The scripted model has none.
   */
  message?: unknown
  /** It ended where it had as many tokens as it may have. */
  isCut?: boolean
  /** What the provider's headers said about the account's rate limits. */
  limits?: RateLimits
  /** What the provider, or its adapter, could not honour; one sentence each. */
  warnings?: string[]
}

/** A model: scripted, or a provider's behind its adapter. */
export interface Model {
  provider: string
  model: string
  /**
   * Makes one model call.
   * @throws ModelError; its name is AbortError and its kind `aborted` when `signal` fired.
   */
  generate: (request: ModelRequest) => Promise<ModelAnswer>
}

/**
 * What a failed call means for the run. `pushback`: the provider limits, is slow or away; it is asked again for as long
 * as the run may take. `malformed`: the answer was useless, which a few more calls may mend. `refused`: the same call
 * would fail the same way for ever. `aborted`: the caller ended it.
 */
export type ModelErrorKind = 'pushback' | 'malformed' | 'refused' | 'aborted'

/** What is known about a failed call beside its code and sentence. */
export interface ModelErrorDetails extends ErrorOptions {
  kind: ModelErrorKind
  status?: number | undefined
  retryAfterMs?: number | undefined
  limits?: RateLimits | undefined
  usage?: ModelUsage | undefined
  partialText?: string | undefined
}

/** A model call that failed, with what a retry policy and an account of what was spent need to know. */
export class ModelError extends Error {
  /** Lower snake case, such as rate_limited, provider_refused, provider_unavailable, malformed_answer, script_failed. */
  readonly code: string
  readonly kind: ModelErrorKind
  readonly retryable: boolean
  readonly malformed: boolean
  /** HTTP status of the provider's response, or what its error in the stream stands for. */
  readonly status: number | undefined
  /** How long the provider asks us to wait; at most an hour. */
  readonly retryAfterMs: number | undefined
  readonly limits: RateLimits | undefined
  /** What the call used all the same; undefined when the provider did no work for it. */
  readonly usage: ModelUsage | undefined
  /** The text that had come before the call failed. */
  readonly partialText: string | undefined

  constructor(code: string, message: string, details: ModelErrorDetails) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = details.kind === 'aborted' ? 'AbortError' : 'ModelError'
    this.code = code
    this.kind = details.kind
    this.malformed = details.kind === 'malformed'
    this.retryable = details.kind === 'pushback' || this.malformed
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.limits = details.limits
    this.usage = details.usage
    this.partialText = details.partialText
  }
}
