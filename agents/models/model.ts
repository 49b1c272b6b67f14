import type { AgentDefinition, JsonSchema } from '../definition.ts'

/** A call that a model asks for. `id` is the provider's own. */
export interface ModelToolCall {
  id: string
  name: string
  /** Parsed arguments; a model that wrote malformed JSON gives the text in `malformed` instead. */
  arguments: Record<string, unknown>
  malformed?: string
}

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
  | { role: 'assistant'; text: string; calls: ModelToolCall[]; message?: unknown; provider?: string }
  | { role: 'tool'; results: ModelToolResult[] }

/** A tool, or a delegate, as the model sees it. */
export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
}

export interface ModelRequest {
  agent: AgentDefinition
  /** The execution's inputs, for scripts. */
  inputs: unknown
  turns: Turn[]
  tools: OfferedTool[]
  /** Number of this model call, from 0. */
  step: number
  signal: AbortSignal
}

export interface ModelAnswer {
  provider: string
  model: string
  text: string
  calls: ModelToolCall[]
  /** The provider's own form of the answer, for its next call. */
  message?: unknown
  usage: {
    prompt_tokens: number
    completion_tokens: number
    cached_tokens: number
    /** measured: the provider said so; estimated: counted by us; unknown: nobody did. */
    source: 'measured' | 'estimated' | 'unknown'
  }
}

/** A model: scripted, or a provider's behind the `ai` package. */
export interface Model {
  provider: string
  model: string
  /**
   * Makes one model call.
   * @throws ModelError; an AbortError when `signal` fired.
   */
  generate: (request: ModelRequest) => Promise<ModelAnswer>
}

/** A model call that failed, with what a retry policy needs to know. */
export class ModelError extends Error {
  /** Lower snake case, such as rate_limited, provider_refused, provider_unavailable, malformed_answer, script_failed. */
  readonly code: string
  readonly retryable: boolean
  /** What the provider asked for with Retry-After. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, options: ErrorOptions & { retryable: boolean; retryAfterMs?: number }) {
    super(message, options)
    this.name = 'ModelError'
    this.code = code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }
}
