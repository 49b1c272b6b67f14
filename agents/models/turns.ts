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
  return turns.flatMap((turn): LanguageModelV4Message[] => {
    if (turn.role === 'user') return [{ role: 'user', content: [{ type: 'text', text: turn.text }] }]
    if (turn.role === 'tool') return turn.results.length > 0 ? [toolMessage(turn, toWire)] : []
    const own = turn.provider === undefined || turn.provider !== provider ? undefined : ownParts(turn, toWire)
    const content = own ?? assistantParts(turn, toWire)
    // Providers refuse an assistant message without content.
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  })
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

/** The parts as the provider made them; a tool's name follows what the tool is called on the wire now. */
function ownParts(turn: AssistantTurn, toWire: (name: string) => string): AssistantPart[] | undefined {
  if (!isObject(turn.message) || !Array.isArray(turn.message.content)) return undefined
  const names = new Map(turn.calls.map((call) => [call.id, toWire(call.name)]))
  return (turn.message.content as AssistantPart[]).map((part) =>
    part.type === 'tool-call' ? { ...part, toolName: names.get(part.toolCallId) ?? part.toolName } : part,
  )
}

function assistantParts(turn: AssistantTurn, toWire: (name: string) => string): AssistantPart[] {
  const text: AssistantPart[] = turn.text.trim() === '' ? [] : [{ type: 'text', text: turn.text }]
  const calls = turn.calls.map((call): AssistantPart => ({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: toWire(call.name),
    // Providers want an object even where the model wrote none; the result of the call tells it what was wrong.
    input: call.malformed === undefined ? call.arguments : {},
  }))
  return [...text, ...calls]
}

function toolMessage(turn: Turn & { role: 'tool' }, toWire: (name: string) => string): LanguageModelV4Message {
  return {
    role: 'tool',
    content: turn.results.map((result) => ({
      type: 'tool-result',
      toolCallId: result.id,
      toolName: toWire(result.name),
      output: { type: result.isError ? 'error-text' : 'text', value: result.output },
    })),
  }
}
