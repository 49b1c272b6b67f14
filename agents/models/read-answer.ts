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

/** As much of an answer as has come. */
export interface AnswerSoFar {
  /** Whether anything has come. */
  begun: boolean
  text: string
  calls: LanguageModelV4ToolCall[]
  message: AnswerMessage
  /** Characters of text, reasoning and arguments. */
  generated: number
  /** What the provider has counted so far. */
  told: PartialUsage
  /** Set by the provider's own end of the answer. */
  end?: { reason: LanguageModelV4FinishReason['unified']; usage: LanguageModelV4Usage }
  warnings: string[]
}

/** An answer of which nothing has come. */
export function noAnswerYet(): AnswerSoFar {
  return { begun: false, text: '', calls: [], message: new AnswerMessage(), generated: 0, told: {}, warnings: [] }
}

/** Who hears what comes. */
export interface AnswerListeners {
  heard: (phase: AnswerPhase) => void
  onDelta?: ((delta: ModelDelta) => void) | undefined
  /** Nobody hears anything after this fired. */
  signal: AbortSignal
}

/**
 * Reads the stream of one model call into `answer`, which is true at every moment.
 * @throws the first error that the stream carries.
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
    // Comes before the provider has said anything.
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

/** Calls that share an id could not be told apart when their results go back; whoever gave it takes another one, too. */
function withOwnId(call: LanguageModelV4ToolCall, ids: Set<string>): LanguageModelV4ToolCall {
  let toolCallId = call.toolCallId
  for (let n = 2; ids.has(toolCallId); n += 1) toolCallId = `${call.toolCallId}-${n}`
  ids.add(toolCallId)
  return { ...call, toolCallId }
}

/** Whether a part shows that there is an answer: adapters end also a stream in which nothing came, and show an error as it came before they throw it. */
function isOfAnswer(part: LanguageModelV4StreamPart): boolean {
  if (part.type === 'raw') return bodyErrorOf(part.rawValue) === undefined
  return part.type !== 'finish'
}

/** Between two parts of an answer the model may think for long, without a sign. */
function phaseAfter(type: LanguageModelV4StreamPart['type'], before: AnswerPhase): AnswerPhase {
  if (type === 'text-start' || type === 'tool-input-start') return 'writing'
  return type === 'text-end' || type === 'tool-input-end' || type === 'reasoning-start' ? 'reasoning' : before
}

function toSentence(warning: SharedV4Warning): string {
  if ('message' in warning) return warning.message
  return warning.details ?? `${warning.feature} is not supported`
}
