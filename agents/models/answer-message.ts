import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { toolArguments } from './tool-arguments.ts'
import type { AssistantPart } from './turns.ts'

type WrittenPart = AssistantPart & { type: 'text' | 'reasoning' }

/**
 * An answer as the message that goes back to its provider in the next call, with what the provider put beside the text:
 * signatures, ids, encrypted thoughts.
 */
export class AnswerMessage {
  /** In the order in which they began. */
  readonly #parts: AssistantPart[] = []
  /** Those that are still being written. */
  readonly #open = new Map<string, WrittenPart>()

  /** Takes in the next part of the answer's stream; what says nothing of the message changes nothing. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return this.#begin(part.id, { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }, part)
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.#goOn(part)
      case 'tool-call':
        if (part.providerExecuted) return
        return this.#keep({ ...callOf(part), input: toolArguments(part.input) ?? {} }, part)
      case 'custom':
        return this.#keep({ type: 'custom', kind: part.kind }, part)
      case 'file':
      case 'reasoning-file':
        return this.#keep({ type: part.type, data: part.data, mediaType: part.mediaType }, part)
    }
  }

  /** The received parts, without blank texts, which providers reject. */
  get content(): AssistantPart[] {
    const isBlank = (part: AssistantPart) => part.type === 'text' && part.text.trim() === ''
    return this.#parts.filter((part) => !isBlank(part) || part.providerOptions !== undefined)
  }

  #begin(id: string, part: WrittenPart, from: Beside): void {
    this.#keep(part, from)
    this.#open.set(`${part.type} ${id}`, part)
  }

  #goOn(from: WrittenChange & Beside): void {
    const [type] = from.type.split('-')
    const part = this.#open.get(`${type} ${from.id}`)
    if (part === undefined) return
    if (from.delta !== undefined) part.text += from.delta
    takeBeside(part, from)
  }

  #keep(part: AssistantPart, from: Beside): void {
    takeBeside(part, from)
    this.#parts.push(part)
  }
}

/** What a provider says of a part that is its own business. */
interface Beside {
  providerMetadata?: SharedV4ProviderMetadata
}

interface WrittenChange {
  type: string
  id: string
  delta?: string
}

function callOf({ toolCallId, toolName }: { toolCallId: string; toolName: string }) {
  return { type: 'tool-call', toolCallId, toolName } as const
}

/** What came last is whole. */
function takeBeside(part: AssistantPart, { providerMetadata }: Beside): void {
  if (providerMetadata !== undefined) part.providerOptions = providerMetadata
}
