import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'
import type { ModelUsage } from './model.ts'

/** A provider's counts, which may still grow. */
export type PartialUsage = Partial<Omit<ModelUsage, 'source' | 'prompt_source'>>

/** Upper bound that no real call approaches. */
const MAX_TOKENS = 1_000_000_000

/** The usage of a call without any counts. */
export const UNKNOWN_USAGE: ModelUsage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  source: 'unknown',
  prompt_source: 'unknown',
}

/** The received part of a response. */
interface CountedAnswer {
  /** The provider's counts. */
  told: PartialUsage
  /** Whether the provider ended the response, so that its counts are complete. */
  isWhole: boolean
  /** Number of characters received. */
  generated: number
}

/**
 * Calculates the usage of a call from the provider's counts. If these are absent, incomplete or impossible, the usage
 * is an estimate.
 * @param sent - the request to the provider.
 */
export function usageOfAnswer({ told, isWhole, generated }: CountedAnswer, sent: unknown): ModelUsage {
  const prompt = withParts(told.prompt_tokens, [told.cached_tokens, told.cache_write_tokens])
  const completion = withParts(told.completion_tokens, [told.reasoning_tokens])
  // A prompt is never empty. Adapters and servers report 0 if they did not count.
  const isPromptTold = (told.prompt_tokens ?? 0) > 0
  const isMeasured = isWhole && isPromptTold && (completion > 0 || generated === 0)
  return {
    ...UNKNOWN_USAGE,
    ...told,
    prompt_tokens: isPromptTold ? prompt : Math.max(prompt, tokensIn(JSON.stringify(sent).length)),
    completion_tokens: isMeasured ? completion : Math.max(completion, tokensIn(generated)),
    source: isMeasured ? 'measured' : 'estimated',
    prompt_source: isPromptTold ? 'measured' : 'estimated',
  }
}

/**
 * Some servers count a part separately from its whole. Parts that are larger than the whole cannot be included in it.
 */
function withParts(whole = 0, parts: (number | undefined)[]): number {
  const sum = parts.reduce<number>((total, part = 0) => total + part, 0)
  return sum > whole ? whole + sum : whole
}

/** Returns the provider's counts from an adapter's end of a response. */
export function usageInEnd({ inputTokens, outputTokens }: LanguageModelV4Usage): PartialUsage {
  return told({
    prompt_tokens: inputTokens.total,
    completion_tokens: outputTokens.total,
    cached_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    reasoning_tokens: outputTokens.reasoning,
  })
}

/** Estimates tokens at four characters per token. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / 4)
}

/**
 * Reads the counts in one chunk of a stream, in the formats of Anthropic (`message_start`, `message_delta`), OpenAI
 * (chat and Responses), Groq and Google.
 */
export function usageInChunk(chunk: unknown): PartialUsage {
  if (!isObject(chunk)) return {}
  const google = objectIn(chunk, 'usageMetadata')
  if (google) return { ...fromGoogle(google), ...tierIn(google.serviceTier) }
  const holder = objectIn(chunk, 'message') ?? objectIn(chunk, 'response') ?? objectIn(chunk, 'x_groq') ?? chunk
  const usage = objectIn(holder, 'usage')
  if (!usage) return {}
  const isAnthropic = 'cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage
  const tier = tierIn(usage.service_tier ?? holder.service_tier)
  if (isAnthropic || chunk.type === 'message_delta') return { ...fromAnthropic(usage), ...tier }
  const input = objectIn(usage, 'input_tokens_details') ?? objectIn(usage, 'prompt_tokens_details') ?? {}
  const output = objectIn(usage, 'output_tokens_details') ?? objectIn(usage, 'completion_tokens_details') ?? {}
  const counts = told({
    prompt_tokens: usage.input_tokens ?? usage.prompt_tokens,
    completion_tokens: usage.output_tokens ?? usage.completion_tokens,
    cached_tokens: input.cached_tokens,
    reasoning_tokens: output.reasoning_tokens,
  })
  return { ...counts, ...tier }
}

function tierIn(service_tier: unknown): PartialUsage {
  return typeof service_tier === 'string' ? { service_tier } : {}
}

function fromAnthropic(usage: Record<string, unknown>): PartialUsage {
  const read = count(usage.cache_read_input_tokens)
  const written = count(usage.cache_creation_input_tokens)
  const fresh = count(usage.input_tokens)
  return told({
    // Anthropic counts the tokens of its cache separately. `message_delta` may have only the output.
    prompt_tokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
    completion_tokens: usage.output_tokens,
    cached_tokens: read,
    cache_write_tokens: written,
    cache_write_1h_tokens: count(objectIn(usage, 'cache_creation')?.ephemeral_1h_input_tokens) || undefined,
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

/** Returns a valid number of tokens. Anything else is the provider's error and would corrupt sums. */
function count(value: unknown): number | undefined {
  const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS
  return isCount ? Number(value) : undefined
}
