/** Tokens of a scripted answer; the whole prompt and the whole completion, with their parts. */
export interface ScriptedUsage {
  prompt_tokens: number
  completion_tokens: number
  cached_tokens?: number
  cache_write_tokens?: number
  reasoning_tokens?: number
}

/** One limit of the account, as the provider's headers say it. */
export interface ScriptedLimit {
  limit: number
  remaining: number
  resetMs: number
}

/** An answer that a model gives. */
export interface ScriptedMessage {
  /** Shown before everything else, and to be sent back unaltered where the provider asks for that. */
  reasoning?: string
  text?: string
  /** `arguments` as text is sent as it is, so that it can be malformed. */
  toolCalls?: { id?: string; name: string; arguments: Record<string, unknown> | string }[]
  /** null leaves usage out of the answer; default 10 and 5. */
  usage?: ScriptedUsage | null
  /** Why the answer ends; default: it is complete. */
  finish?: 'length' | 'content_filter'
  /** What it says of the tier that it was served in; nothing unless given. */
  serviceTier?: string
  limits?: { requests?: ScriptedLimit; tokens?: ScriptedLimit }
  /** The headers come at once, the first event after this time; default 0. */
  firstTokenMs?: number
  /** Time between two events; default 0. */
  everyMs?: number
  /** Time between the last piece of reasoning and what follows; default 0. */
  pausesMs?: number
  /** After so many events the answer goes no further, in this way; `fails` sends the provider's own error. */
  breaks?: { after: number; by: 'hang' | 'reset' | 'end' | 'fails' }
}

/** What the server does with one request. */
export type ScriptedAnswer =
  | ScriptedMessage
  | {
      status: number
      headers?: Record<string, string>
      message?: string
      /** The provider's own name of the error. */
      code?: string
      limits?: ScriptedMessage['limits']
    }
  /** Never answers. */
  | { hang: true }
  /** Answers 200 with this body, whatever it is; as JSON unless the headers say otherwise. */
  | { raw: string; headers?: Record<string, string> }
  /** Destroys the connection. */
  | { reset: true }

export const DEFAULT_USAGE: ScriptedUsage = { prompt_tokens: 10, completion_tokens: 5 }
