import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'
import type { ModelUsage } from './model.ts'

/** Counts of a provider's that may still grow. */
export type PartialUsage = Partial<Omit<ModelUsage, 'source' | 'prompt_source'>>

/** Nobody knows what was used. */
export const UNKNOWN_USAGE: ModelUsage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  source: 'unknown',
  prompt_source: 'unknown',
}

/**
 * Translates what a provider counted.
 * @returns undefined when it did not count.
 */
export function measuredUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage | undefined {
  // A 0 for both is how an adapter writes down that nothing was told.
  if (!inputTokens.total && !outputTokens.total) return undefined
  return {
    prompt_tokens: inputTokens.total ?? 0,
    completion_tokens: outputTokens.total ?? 0,
    cached_tokens: inputTokens.cacheRead ?? 0,
    cache_write_tokens: inputTokens.cacheWrite ?? 0,
    reasoning_tokens: outputTokens.reasoning ?? 0,
    source: 'measured',
    prompt_source: 'measured',
  }
}

/**
 * What a call used whose provider did not count, or had not finished counting.
 * @param sent - JSON that went to the provider.
 * @param generated - characters that had come back.
 */
export function estimatedUsage(told: PartialUsage, sent: unknown, generated: number): ModelUsage {
  return {
    ...UNKNOWN_USAGE,
    ...told,
    prompt_tokens: told.prompt_tokens ?? tokensIn(JSON.stringify(sent).length),
    completion_tokens: Math.max(told.completion_tokens ?? 0, tokensIn(generated)),
    source: 'estimated',
    prompt_source: told.prompt_tokens === undefined ? 'estimated' : 'measured',
  }
}

/** About four characters a token. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / 4)
}

/**
 * The counts in one chunk of a stream, as Anthropic (`message_start`, `message_delta`), OpenAI (chat and Responses), Groq
 * and Google write them.
 */
export function usageInChunk(chunk: unknown): PartialUsage {
  if (!isObject(chunk)) return {}
  const google = objectIn(chunk, 'usageMetadata')
  if (google) return fromGoogle(google)
  const holder = objectIn(chunk, 'message') ?? objectIn(chunk, 'response') ?? objectIn(chunk, 'x_groq') ?? chunk
  const usage = objectIn(holder, 'usage')
  if (!usage) return {}
  if ('cache_read_input_tokens' in usage || chunk.type === 'message_delta') return fromAnthropic(usage)
  const input = objectIn(usage, 'input_tokens_details') ?? objectIn(usage, 'prompt_tokens_details') ?? {}
  const output = objectIn(usage, 'output_tokens_details') ?? objectIn(usage, 'completion_tokens_details') ?? {}
  return told({
    prompt_tokens: usage.input_tokens ?? usage.prompt_tokens,
    completion_tokens: usage.output_tokens ?? usage.completion_tokens,
    cached_tokens: input.cached_tokens,
    reasoning_tokens: output.reasoning_tokens,
  })
}

function fromAnthropic(usage: Record<string, unknown>): PartialUsage {
  const read = count(usage.cache_read_input_tokens)
  const written = count(usage.cache_creation_input_tokens)
  const fresh = count(usage.input_tokens)
  return told({
    // Anthropic counts what it had in its cache apart; `message_delta` may have the output only.
    prompt_tokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
    completion_tokens: usage.output_tokens,
    cached_tokens: read,
    cache_write_tokens: written,
  })
}

function fromGoogle(usage: Record<string, unknown>): PartialUsage {
  const answer = count(usage.candidatesTokenCount)
  const thoughts = count(usage.thoughtsTokenCount)
  return told({
    prompt_tokens: usage.promptTokenCount,
    completion_tokens: answer === undefined && thoughts === undefined ? undefined : (answer ?? 0) + (thoughts ?? 0),
    cached_tokens: usage.cachedContentTokenCount,
    reasoning_tokens: thoughts,
  })
}

function told(counts: Record<keyof PartialUsage, unknown> | Record<string, unknown>): PartialUsage {
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => count(value) !== undefined))
}

function objectIn(value: Record<string, unknown>, field: string): Record<string, unknown> | undefined {
  const found = value[field]
  return isObject(found) ? found : undefined
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
