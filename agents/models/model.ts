import type { AgentDefinition, JsonSchema } from '../definition.ts'
import type { RateLimits } from './rate-limits.ts'

/** A tool call requested by a model. The provider assigns the `id`. */
export interface ModelToolCall {
  id: string
  name: string
  /** Parsed arguments. If the model wrote malformed JSON, its text is in `malformed` instead. */
  arguments: Record<string, unknown>
  malformed?: string
}

/** The result of a tool call, as the model receives it. */
export interface ModelToolResult {
  id: string
  name: string
  /** JSON text of the tool's result, or an error message. */
  output: string
  isError: boolean
}

/** One turn of the stored conversation. Messages for every provider are built from this form. */
export type Turn =
  | { role: 'user'; text: string }
  | {
      role: 'assistant'
      text: string
      calls: ModelToolCall[]
      /** The `message` of the response, for its own provider. Other providers get only text and calls. */
      message?: unknown
      /** The `provider` of the response. */
      provider?: string
    }
  | { role: 'tool'; results: ModelToolResult[] }

/** A tool, or a delegate, as the model sees it. */
export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
  /** Whether the provider should enforce the schema, if it can. */
  strict?: boolean
}

/** A piece of a response in progress. */
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
  /**
   * The response's text should be JSON of this schema, by the provider's own structured mode. `generate` does not check
   * it.
   */
  output?: JsonSchema
  /** Maximum tokens that the budget allows for the response. It overrides the agent's settings. */
  maxOutputTokens?: number
  /** Tools are described, so that the conversation stays the same, but must not be called. */
  noTools?: boolean
  /** A key shared by calls with a common prefix, such as the job's id. Providers use it to find their cached prompt. */
  cacheKey?: string
  /** Receives the response while the model writes it. Must not throw. */
  onDelta?: (delta: ModelDelta) => void
}

/** Token usage of a call. */
export interface ModelUsage {
  /** All tokens sent, including `cached_tokens` and `cache_write_tokens`. */
  prompt_tokens: number
  /** All tokens generated, including `reasoning_tokens`. */
  completion_tokens: number
  /** The part of the prompt that the provider read from its cache. */
  cached_tokens: number
  /** The part of the prompt that the provider wrote to its cache. */
  cache_write_tokens: number
  /** The part of `cache_write_tokens` that the cache keeps for an hour, at a higher price; absent if none. */
  cache_write_1h_tokens?: number
  reasoning_tokens: number
  /** The provider's name of the tier in which it served the call; absent if unknown. */
  service_tier?: string
  /** measured: by the provider; estimated: at least partly by us; unknown: not counted. */
  source: UsageSource
  /** The same for the prompt alone, which the provider may have counted before a response broke off. */
  prompt_source: UsageSource
}

/** Source of the counts. */
export type UsageSource = 'measured' | 'estimated' | 'unknown'

/** The response of a model. */
export interface ModelAnswer {
  provider: string
  model: string
  text: string
  calls: ModelToolCall[]
  usage: ModelUsage
  /**
   * The whole response as JSON in the provider's own form: reasoning, signatures, the provider's ids. The next request
   * returns it unchanged as the `message` of the assistant's turn. The scripted model has none.
   */
  message?: unknown
  /** The response ended at its token limit. */
  isCut?: boolean
  /** The account's rate limits in the provider's headers. */
  limits?: RateLimits
  /** Settings that the provider or its adapter could not apply; one sentence each. */
  warnings?: string[]
}

/** A scripted model, or a provider's model behind its adapter. */
export interface Model {
  provider: string
  model: string
  /**
   * Makes one model call.
   * @throws ModelError. If `signal` fired, its name is AbortError and its kind is `aborted`.
   */
  generate: (request: ModelRequest) => Promise<ModelAnswer>
}

/**
 * The consequence of a failed call for the run. `pushback`: the provider limits calls, is slow or unavailable; the call
 * is repeated while the run's time allows. `malformed`: the response was unusable; a few more calls may succeed.
 * `refused`: the same call would always fail the same way. `aborted`: the caller ended it.
 */
export type ModelErrorKind = 'pushback' | 'malformed' | 'refused' | 'aborted'

/** Details of a failed call beside its code and message. */
export interface ModelErrorDetails extends ErrorOptions {
  kind: ModelErrorKind
  status?: number | undefined
  retryAfterMs?: number | undefined
  limits?: RateLimits | undefined
  usage?: ModelUsage | undefined
  partialText?: string | undefined
}

/** A failed model call, with the data for retries and for the accounting of its usage. */
export class ModelError extends Error {
  /** Lower snake case, such as rate_limited, provider_refused, provider_unavailable, malformed_answer, script_failed. */
  readonly code: string
  readonly kind: ModelErrorKind
  readonly retryable: boolean
  readonly malformed: boolean
  /** HTTP status of the response, or the status that an error in the stream stands for. */
  readonly status: number | undefined
  /** Delay that the provider requests; at most an hour. */
  readonly retryAfterMs: number | undefined
  readonly limits: RateLimits | undefined
  /** Usage of the call despite its failure; undefined if the provider did no work. */
  readonly usage: ModelUsage | undefined
  /** The text that arrived before the failure. */
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
