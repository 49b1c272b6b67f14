import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import type { ModelDelta } from './model.ts'
import type { AnswerPhase } from './silence.ts'
import { usageInChunk, type PartialUsage } from './usage.ts'

/** A tool call as the `ai` package gives it. */
export interface StreamedCall {
  toolCallId: string
  toolName: string
  input: unknown
}

/** As much of an answer as has come. */
export interface AnswerSoFar {
  /** Whether anything has come. */
  begun: boolean
  text: string
  calls: StreamedCall[]
  /** Characters of text, reasoning and arguments. */
  generated: number
  /** What the provider has counted so far. */
  told: PartialUsage
  /** Set by the provider's own end of the answer. */
  end?: { reason: FinishReason; usage: LanguageModelUsage; headers: Record<string, string> }
  warnings: string[]
}

/** An answer of which nothing has come. */
export function noAnswerYet(): AnswerSoFar {
  return { begun: false, text: '', calls: [], generated: 0, told: {}, warnings: [] }
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
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  answer: AnswerSoFar,
  { heard, onDelta, signal }: AnswerListeners,
): Promise<void> {
  let phase: AnswerPhase = 'reasoning'
  const write = (kind: ModelDelta['kind'], text: string) => {
    answer.generated += text.length
    if (kind === 'text') answer.text += text
    onDelta?.({ kind, text })
  }
  for await (const part of parts) {
    if (signal.aborted) return
    if (part.type === 'error') throw part.error
    if (part.type === 'start-step') answer.warnings.push(...part.warnings.map(toSentence))
    // These two come before the provider has said anything.
    if (part.type === 'start' || part.type === 'start-step') continue
    phase = phaseAfter(part.type, phase)
    heard(phase)
    answer.begun = true
    if (part.type === 'raw') Object.assign(answer.told, usageInChunk(part.rawValue))
    else if (part.type === 'text-delta') write('text', part.text)
    else if (part.type === 'reasoning-delta') write('reasoning', part.text)
    else if (part.type === 'tool-input-delta') write('tool_input', part.delta)
    else if (part.type === 'tool-call' && !part.providerExecuted) answer.calls.push(part)
    else if (part.type === 'finish-step') {
      const { finishReason: reason, usage, response } = part
      answer.end = { reason, usage, headers: response.headers ?? {} }
    }
  }
}

/** Between two parts of an answer the model may think for long, without a sign. */
function phaseAfter(type: TextStreamPart<ToolSet>['type'], before: AnswerPhase): AnswerPhase {
  if (type === 'text-start' || type === 'tool-input-start') return 'writing'
  return type === 'text-end' || type === 'tool-input-end' || type === 'reasoning-start' ? 'reasoning' : before
}

function toSentence(warning: { type: string; feature?: string; details?: string; message?: string }): string {
  return warning.message ?? warning.details ?? `${warning.feature ?? warning.type} is not supported`
}
