import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import type { Turn } from './model.ts'

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

/**
 * The stored conversation as the messages of the `ai` package.
 * @param toWire - the provider's form of a tool's name.
 */
export function toMessages(turns: Turn[], toWire: (name: string) => string = (name) => name): ModelMessage[] {
  return turns.flatMap((turn): ModelMessage[] => {
    if (turn.role === 'user') return [{ role: 'user', content: turn.text }]
    if (turn.role === 'tool') return turn.results.length > 0 ? [toolMessage(turn, toWire)] : []
    const content = assistantParts(turn, toWire)
    // Providers refuse an assistant message without content.
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  })
}

function assistantParts(turn: Turn & { role: 'assistant' }, toWire: (name: string) => string): AssistantPart[] {
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

function toolMessage(turn: Turn & { role: 'tool' }, toWire: (name: string) => string): ToolModelMessage {
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
