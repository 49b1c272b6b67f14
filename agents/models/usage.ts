import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'
import type { ModelUsage } from './model.ts'

/** Counts of a provider's that may still grow. */
export type PartialUsage = Partial<Omit<ModelUsage, 'source' | 'prompt_source'>>

/** No call comes near it. */
const MAX_TOKENS = 1_000_000_000

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

/** An answer as far as it has come. */
interface CountedAnswer {
  /** What the provider has told of it. */
  told: PartialUsage
  /** Whether the provider ended it, so that what it told counts all of it. */
  isWhole: boolean
  /** Characters that came. */
  generated: number
}

/**
 * What a call used: what its provider counted; where that did not count, had not finished or told what cannot be, an estimate.
 * @param sent - what went to the provider.
 */
export function usageOfAnswer({ told, isWhole, generated }: CountedAnswer, sent: unknown): ModelUsage {
  const prompt = withParts(told.prompt_tokens, [told.cached_tokens, told.cache_write_tokens])
  const completion = withParts(told.completion_tokens, [told.reasoning_tokens])
  // Nobody is answered who asked nothing: a 0 is how adapters and servers write that they did not count.
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

/** Some servers count a part beside its whole: one that is larger cannot be in it. */
function withParts(whole = 0, parts: (number | undefined)[]): number {
  const sum = parts.reduce<number>((total, part = 0) => total + part, 0)
  return sum > whole ? whole + sum : whole
}

/** What an adapter says that the provider counted. */
export function usageInEnd({ inputTokens, outputTokens }: LanguageModelV4Usage): PartialUsage {
  return told({
    prompt_tokens: inputTokens.total,
    completion_tokens: outputTokens.total,
    cached_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    reasoning_tokens: outputTokens.reasoning,
  })
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
    // Anthropic counts what it had in its cache apart; `message_delta` may have the output only.
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

/** What can be a number of tokens; anything else is a mistake of the provider's, and sums must not be spoiled by it. */
function count(value: unknown): number | undefined {
  const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS
  return isCount ? Number(value) : undefined
}
