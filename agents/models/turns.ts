import { createHash } from 'node:crypto'
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'
import type { Turn } from './model.ts'

type AssistantTurn = Turn & { role: 'assistant' }

/** A piece of an assistant's message. */
export type AssistantPart = (LanguageModelV4Message & { role: 'assistant' })['content'][number]

/** How a provider wants the conversation. */
export interface TurnsOptions {
  /** The provider's form of a tool's name. */
  toWire?: (name: string) => string
  /** Who gets the conversation: only its own messages go back as it made them. */
  provider?: string
}

/** The stored conversation as the messages of a call. */
export function toPrompt(
  turns: Turn[],
  { toWire = (name) => name, provider }: TurnsOptions = {},
): LanguageModelV4Message[] {
  let names: CallNames = { toWire, toId: (id) => id }
  return turns.flatMap((turn): LanguageModelV4Message[] => {
    if (turn.role === 'user') return [{ role: 'user', content: [{ type: 'text', text: turn.text }] }]
    // Results use the ids of the calls in the turn before them.
    if (turn.role === 'tool') return turn.results.length > 0 ? [toolMessage(turn, names)] : []
    const isOwn = turn.provider !== undefined && turn.provider === provider
    names = { toWire, toId: isOwn ? (id) => id : foreignId }
    const content = (isOwn ? ownParts(turn, toWire) : undefined) ?? assistantParts(turn, names)
    // Providers refuse an assistant message without content.
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  })
}

/** The names of tools and the ids of calls that are sent to a provider. */
interface CallNames {
  toWire: (name: string) => string
  toId: (id: string) => string
}

/** Call ids that all providers accept. */
const COMMON_ID = /^[A-Za-z0-9_-]{1,40}$/

/** Replaces the id of another provider if it has characters or a length that a provider may reject. */
function foreignId(id: string): string {
  return COMMON_ID.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 40)
}

/**
 * What of an answer's message must be kept beside its text and calls.
 * @returns JSON, or undefined when text and calls say everything.
 */
export function keptMessage(content: AssistantPart[]): unknown {
  const needed = content.some(
    (part) => (part.type !== 'text' && part.type !== 'tool-call') || part.providerOptions !== undefined,
  )
  return needed ? JSON.parse(JSON.stringify({ role: 'assistant', content })) : undefined
}

/**
 * The parts in the provider's own form, with the current names of the tools. A call that was not kept is left
 * out, because providers reject a call without a result.
 */
function ownParts(turn: AssistantTurn, toWire: (name: string) => string): AssistantPart[] | undefined {
  if (!isObject(turn.message) || !Array.isArray(turn.message.content)) return undefined
  const names = new Map(turn.calls.map((call) => [call.id, toWire(call.name)]))
  return (turn.message.content as AssistantPart[]).flatMap((part): AssistantPart[] => {
    if (part.type !== 'tool-call') return [part]
    const toolName = names.get(part.toolCallId)
    return toolName === undefined ? [] : [{ ...part, toolName }]
  })
}

function assistantParts(turn: AssistantTurn, { toWire, toId }: CallNames): AssistantPart[] {
  const text: AssistantPart[] = turn.text.trim() === '' ? [] : [{ type: 'text', text: turn.text }]
  const calls = turn.calls.map((call): AssistantPart => ({
    type: 'tool-call',
    toolCallId: toId(call.id),
    toolName: toWire(call.name),
    // Providers want an object even where the model wrote none; the result of the call tells it what was wrong.
    input: call.malformed === undefined ? call.arguments : {},
  }))
  return [...text, ...calls]
}

function toolMessage(turn: Turn & { role: 'tool' }, { toWire, toId }: CallNames): LanguageModelV4Message {
  return {
    role: 'tool',
    content: turn.results.map((result) => ({
      type: 'tool-result',
      toolCallId: toId(result.id),
      toolName: toWire(result.name),
      output: { type: result.isError ? 'error-text' : 'text', value: result.output },
    })),
  }
}
