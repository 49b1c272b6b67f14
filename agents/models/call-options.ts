import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { isStrictSchema } from '../structured/strict-schema.ts'
import type { Wire } from './language-model.ts'
import type { ModelRequest } from './model.ts'
import { toPrompt } from './turns.ts'
import { tokensIn } from './usage.ts'
import type { WireNames } from './wire-names.ts'

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

/** Whom a call goes to. */
export interface CallTarget {
  provider: string
  wire: Wire
}

/** Anthropic caches no shorter prefix; a mark on one would be for nothing. */
const MIN_CACHED_TOKENS = 1_024
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** The longest key that OpenAI takes. */
const MAX_CACHE_KEY = 64

/**
 * A model call as the adapters of providers want it. Of two calls of one conversation, the first is a prefix of the second:
 * tools are in the order of their names, and nothing that was sent is rewritten, so that providers find it in their cache.
 */
export function callOptions(request: ModelRequest, names: WireNames, target: CallTarget): LanguageModelV4CallOptions {
  const { agent, turns, tools, output } = request
  const { providerOptions: _own, reasoning, ...others } = agent.settings ?? {}
  return {
    ...others,
    ...(mayThink(request, target) && reasoning !== undefined && { reasoning }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(tools.length > 0 && {
      tools: toolsOf(request, names, target),
      toolChoice: { type: request.noTools === true ? 'none' : 'auto' },
    }),
    ...(output && { responseFormat: { type: 'json', name: 'output', schema: output } }),
    prompt: withInstructions(request, toPrompt(turns, { toWire: names.toWire, provider: target.provider }), target),
    providerOptions: providerOptions(request, target),
  }
}

function withInstructions(
  { agent, tools }: ModelRequest,
  messages: LanguageModelV4Message[],
  { wire }: CallTarget,
): LanguageModelV4Message[] {
  const { instructions: content = '' } = agent
  const instructions: LanguageModelV4Message[] = content === '' ? [] : [{ role: 'system', content }]
  if (wire !== 'anthropic') return [...instructions, ...messages]
  const prefix = JSON.stringify([tools, content]).length
  const marked = instructions.map((each) => (isLong(prefix) ? { ...each, providerOptions: CACHED } : each))
  return [...marked, ...withCacheMarks(messages, prefix)]
}

/**
 * Whether a model may think in this call. Anthropic refuses to think on in the middle of tool calls that it did not think
 * about itself: after a change of provider it thinks again from the next message of the user on.
 */
export function mayThink({ turns }: Pick<ModelRequest, 'turns'>, { provider, wire }: CallTarget): boolean {
  if (wire !== 'anthropic') return true
  const current = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1)
  return current.every((turn) => turn.role !== 'assistant' || turn.calls.length === 0 || turn.provider === provider)
}

/** Ours, under those of the agent. */
function providerOptions(request: ModelRequest, target: CallTarget): ProviderOptions {
  const given = (request.agent.settings?.providerOptions ?? {}) as ProviderOptions
  const { thinking: _thinking, ...unthinking } = given.anthropic ?? {}
  const own = mayThink(request, target) ? given : { ...given, anthropic: unthinking }
  const { key, options } = ourOptions(request, target)
  return Object.keys(options).length === 0 ? own : { ...own, [key]: { ...options, ...own[key] } }
}

function ourOptions(
  { cacheKey, output }: ModelRequest,
  { provider, wire }: CallTarget,
): { key: string; options: ProviderOptions[string] } {
  // These two have no strict mode to turn off.
  if (wire === 'anthropic' || wire === 'google') return { key: provider, options: {} }
  const strict = output && { strictJsonSchema: isStrictSchema(output) }
  if (provider !== 'openai' && provider !== 'groq') return { key: 'openaiCompatible', options: { ...strict } }
  if (wire === 'chat') return { key: provider, options: { ...strict } }
  // Not stored there: a conversation goes on from our records alone, reasoning included, and needs no copy elsewhere.
  const kept = { store: false, ...(cacheKey && { promptCacheKey: shortKey(cacheKey) }) }
  return { key: provider, options: { ...kept, ...strict } }
}

function shortKey(key: string): string {
  return key.length <= MAX_CACHE_KEY ? key : createHash('sha256').update(key).digest('hex')
}

/**
 * Marks the end of the conversation, which this call writes to the cache, and the end of the one before, which the last
 * call wrote: Anthropic looks only 20 blocks back from a mark, and an answer may have more calls.
 */
function withCacheMarks(messages: LanguageModelV4Message[], prefix: number): LanguageModelV4Message[] {
  const last = messages.length - 1
  if (!isLong(prefix + JSON.stringify(messages).length)) return messages
  const before = messages.findLastIndex(({ role }, index) => index < last && role !== 'assistant')
  return messages.map((message, index) =>
    index === last || index === before ? { ...message, providerOptions: CACHED } : message,
  )
}

function isLong(characters: number): boolean {
  return tokensIn(characters) >= MIN_CACHED_TOKENS
}

function toolsOf({ tools }: ModelRequest, { toWire }: WireNames, { wire }: CallTarget): LanguageModelV4FunctionTool[] {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return sorted.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    name: toWire(name),
    description,
    inputSchema: parameters,
    // Providers other than OpenAI may not know the field, so it is only sent if it is true.
    ...(strict === true && isStrictSchema(parameters, wire) && { strict }),
  }))
}
