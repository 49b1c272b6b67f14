import { createHash } from 'node:crypto'
import { jsonSchema, tool, type ModelMessage, type streamText, type ToolSet } from 'ai'
import { isStrictSchema } from '../structured/strict-schema.ts'
import type { Wire } from './language-model.ts'
import type { ModelRequest } from './model.ts'
import { toMessages } from './turns.ts'
import { tokensIn } from './usage.ts'
import type { WireNames } from './wire-names.ts'

type CallOptions = Omit<Parameters<typeof streamText>[0], 'model' | 'prompt'> & { messages: ModelMessage[] }
type ProviderOptions = NonNullable<CallOptions['providerOptions']>

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
 * A model call as the `ai` package wants it. Of two calls of one conversation, the first is a prefix of the second: tools
 * are in the order of their names, and nothing that was sent is rewritten, so that providers find it in their cache.
 */
export function callOptions(request: ModelRequest, names: WireNames, target: CallTarget): CallOptions {
  const { agent, turns, tools } = request
  const { providerOptions: _own, reasoning, ...others } = agent.settings ?? {}
  const settings = {
    ...(mayThink(request, target) ? { ...others, reasoning } : others),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.noTools === true && tools.length > 0 && { toolChoice: 'none' as const }),
  }
  const messages = toMessages(turns, { toWire: names.toWire, provider: target.provider })
  const instructions = agent.instructions === '' ? undefined : agent.instructions
  const options = { ...settings, tools: toToolSet(tools, names), providerOptions: providerOptions(request, target) }
  if (target.wire !== 'anthropic') return { ...options, messages, ...(instructions && { instructions }) }
  const prefix = JSON.stringify([tools, instructions ?? '']).length
  return {
    ...options,
    messages: withCacheMarks(messages, prefix),
    ...(instructions && {
      instructions: { role: 'system', content: instructions, ...(isLong(prefix) && { providerOptions: CACHED }) },
    }),
  }
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
function withCacheMarks(messages: ModelMessage[], prefix: number): ModelMessage[] {
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

function toToolSet(tools: ModelRequest['tools'], names: WireNames): ToolSet {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ name, description, parameters, strict }) => [
      names.toWire(name),
      tool({ description, inputSchema: jsonSchema(parameters), ...(strict && { strict }) }),
    ]),
  )
}
