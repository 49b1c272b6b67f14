import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { AnswerMessage } from './answer-message.ts'
import type { ModelDelta } from './model.ts'
import type { AnswerPhase } from './silence.ts'
import { bodyErrorOf } from './stream-error.ts'
import { usageInChunk, type PartialUsage } from './usage.ts'

/** The received part of a response. */
export interface AnswerSoFar {
  /** Whether any part of the response has arrived. */
  begun: boolean
  text: string
  calls: LanguageModelV4ToolCall[]
  message: AnswerMessage
  /** Characters of text, reasoning and arguments. */
  generated: number
  /** The provider's counts so far. */
  told: PartialUsage
  /** Set when the provider ends the response. */
  end?: { reason: LanguageModelV4FinishReason['unified']; usage: LanguageModelV4Usage }
  warnings: string[]
}

/** Returns a response of which nothing has arrived. */
export function noAnswerYet(): AnswerSoFar {
  return { begun: false, text: '', calls: [], message: new AnswerMessage(), generated: 0, told: {}, warnings: [] }
}

/** Listeners for the parts of a response. */
export interface AnswerListeners {
  heard: (phase: AnswerPhase) => void
  onDelta?: ((delta: ModelDelta) => void) | undefined
  /** After it fires, no listener is called. */
  signal: AbortSignal
}

/**
 * Reads the stream of a model call into `answer`, which is consistent at every moment.
 * @throws the first error in the stream.
 */
export async function readAnswer(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  answer: AnswerSoFar,
  { heard, onDelta, signal }: AnswerListeners,
): Promise<void> {
  let phase: AnswerPhase = 'reasoning'
  const write = (kind: ModelDelta['kind'], text: string) => {
    answer.generated += text.length
    if (kind === 'text') answer.text += text
    onDelta?.({ kind, text })
  }
  const ids = new Set<string>()
  for await (const given of parts) {
    if (signal.aborted) return
    const part = given.type === 'tool-call' ? withOwnId(given, ids) : given
    if (part.type === 'error') throw part.error
    // This part arrives before the provider has responded.
    if (part.type === 'stream-start') {
      answer.warnings.push(...part.warnings.map(toSentence))
      continue
    }
    phase = phaseAfter(part.type, phase)
    heard(phase)
    answer.begun ||= isOfAnswer(part)
    answer.message.add(part)
    if (part.type === 'raw') Object.assign(answer.told, usageInChunk(part.rawValue))
    else if (part.type === 'text-delta') write('text', part.delta)
    else if (part.type === 'reasoning-delta') write('reasoning', part.delta)
    else if (part.type === 'tool-input-delta') write('tool_input', part.delta)
    else if (part.type === 'tool-call' && !part.providerExecuted) answer.calls.push(part)
    else if (part.type === 'finish') answer.end = { reason: part.finishReason.unified, usage: part.usage }
  }
}

/**
 * Makes the ids of calls unique, because results of calls with one id cannot be matched. A provider that repeats an id
 * accepts a changed one.
 */
function withOwnId(call: LanguageModelV4ToolCall, ids: Set<string>): LanguageModelV4ToolCall {
  let toolCallId = call.toolCallId
  for (let n = 2; ids.has(toolCallId); n += 1) toolCallId = `${call.toolCallId}-${n}`
  ids.add(toolCallId)
  return { ...call, toolCallId }
}

/**
 * Whether a part proves that there is a response. Adapters add an end to an empty stream too, and they pass on an error
 * chunk before they throw its error.
 */
function isOfAnswer(part: LanguageModelV4StreamPart): boolean {
  if (part.type === 'raw') return bodyErrorOf(part.rawValue) === undefined
  return part.type !== 'finish'
}

/** Returns the phase after a part. Between two parts of a response, the model may think silently for a long time. */
function phaseAfter(type: LanguageModelV4StreamPart['type'], before: AnswerPhase): AnswerPhase {
  if (type === 'text-start' || type === 'tool-input-start') return 'writing'
  return type === 'text-end' || type === 'tool-input-end' || type === 'reasoning-start' ? 'reasoning' : before
}

function toSentence(warning: SharedV4Warning): string {
  if ('message' in warning) return warning.message
  return warning.details ?? `${warning.feature} is not supported`
}
