import type { LanguageModelV4, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import pTimeout from 'p-timeout'
import { callOptions, mayThink } from './call-options.ts'
import {
  ModelError,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
} from './model.ts'
import { wireCall, type Wire, type WireCall } from './language-model.ts'
import { toModelError } from './provider-failure.ts'
import { readRateLimits } from './rate-limits.ts'
import { noAnswerYet, readAnswer, type AnswerSoFar } from './read-answer.ts'
import { watchSilence, type ModelTimeouts } from './silence.ts'
import { streamErrorOf } from './stream-error.ts'
import { toolArguments } from './tool-arguments.ts'
import { keptMessage } from './turns.ts'
import { UNKNOWN_USAGE, usageInEnd, usageOfAnswer } from './usage.ts'
import { wireNames, type WireNames } from './wire-names.ts'

export interface ProviderModelOptions {
  provider: string
  model: string
  wire: Wire
  languageModel: LanguageModelV4
  timeouts: ModelTimeouts
  /** Strings that no message may carry. */
  secrets: string[]
}

/** Finish reasons of an incomplete response; the same request would end in the same way. */
const NOT_WHOLE = new Set(['content-filter', 'length'])

const LONGEST_MESSAGE = 1_000
/** Calls of one answer; paths of their records are in order up to that. */
const MAX_CALLS = 1_000
const MAX_NAME = 1_000
/** Longer than a name: some gateways keep a signature of the model's thoughts in it. */
const MAX_ID = 32_768

const WITHOUT_THINKING = 'the model cannot think about tool calls that another model made'

/** A provider's model as a Model: one HTTP call per `generate`, streamed, and never retried here. */
export function providerModel(options: ProviderModelOptions): Model {
  const { provider, model, timeouts, wire } = options
  const generate = async (request: ModelRequest): Promise<ModelAnswer> => {
    if (request.signal.aborted) throw aborted()
    const watch = watchSilence(timeouts)
    const left = new AbortController()
    const names = wireNames(request.tools.map((offered) => offered.name).toSorted())
    const answer = noAnswerYet()
    if (!mayThink(request, options)) answer.warnings.push(WITHOUT_THINKING)
    const call = callOptions(request, names, options)
    const usage = () => usageOf(answer, call)
    // Chat completions show nothing of a model that thinks, not even that it does.
    const heard = () => (wire === 'chat' ? watch.heard('reasoning') : undefined)
    const warn = (warning: string) => void answer.warnings.push(warning)
    const onWire: WireCall = { heard, maxOutputTokens: request.maxOutputTokens, warn }
    const abortSignal = AbortSignal.any([request.signal, watch.signal, left.signal])
    const listeners = { heard: watch.heard, onDelta: request.onDelta, signal: abortSignal }
    const untilAborted = { milliseconds: Infinity, signal: abortSignal }
    try {
      const begin = async () =>
        options.languageModel.doStream({
          ...call,
          abortSignal,
          // Counts, and signs of life, that do not become parts of the answer. Chat completions have none.
          includeRawChunks: wire !== 'chat',
        })
      const { stream, response } = await pTimeout(wireCall.run(onWire, begin), untilAborted)
      await pTimeout(readAnswer(stream, answer, listeners), untilAborted)
      return toAnswer(options, answer, { usage: usage(), names, headers: response?.headers ?? {} })
    } catch (error) {
      // Ends the connection of an answer that nobody reads to its end.
      left.abort()
      if (request.signal.aborted) throw aborted(usage(), answer.text)
      throw readable(failureOf(streamErrorOf(error), options, answer, usage(), watch.expired()), options.secrets)
    } finally {
      watch.stop()
    }
  }
  return { provider, model, generate }
}

function toAnswer(
  { provider, model }: ProviderModelOptions,
  { text, end, calls, message: said, warnings }: AnswerSoFar,
  { usage, names, headers }: { usage: ModelUsage; names: WireNames; headers: Record<string, string> },
): ModelAnswer {
  const where = `${provider}/${model}`
  if (end === undefined || end.reason === 'interrupted' || end.reason === 'error') {
    const sentence = `${where} gave an answer that cannot be read: it ended before it was complete`
    throw new ModelError('malformed_answer', sentence, { kind: 'malformed', usage, partialText: text })
  }
  const problem = problemOf(calls)
  if (problem !== undefined) {
    const sentence = `${where} gave an answer that cannot be used: ${problem}`
    throw new ModelError('malformed_answer', sentence, { kind: 'malformed', usage, partialText: text })
  }
  // A response that a content filter ended is not used, even if some of it was received.
  const isNothing = end.reason === 'content-filter' || (text === '' && calls.length === 0)
  if (isNothing && NOT_WHOLE.has(end.reason)) {
    const sentence = `${where} ended without an answer (${end.reason})`
    throw new ModelError('no_answer', sentence, { kind: 'refused', usage, partialText: text })
  }
  const limits = readRateLimits(headers, new Date())
  const message = keptMessage(said.content)
  return {
    provider,
    model,
    text,
    calls: calls.map((each, index) => toCall(each, names, NOT_WHOLE.has(end.reason) && index === calls.length - 1)),
    usage,
    ...(message !== undefined && { message }),
    ...(end.reason === 'length' && { isCut: true }),
    ...(limits && { limits }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** What no model asks for, and no record or event could hold. */
function problemOf(calls: LanguageModelV4ToolCall[]): string | undefined {
  if (calls.length > MAX_CALLS) return `it asks for ${calls.length} calls at once`
  if (calls.some(({ toolName }) => toolName.length > MAX_NAME))
    return `it asks for a call whose name is longer than ${MAX_NAME} characters`
  const isLong = calls.some(({ toolCallId }) => toolCallId.length > MAX_ID)
  return isLong ? `it asks for a call whose id is longer than ${MAX_ID} characters` : undefined
}

/** What a call used; of one that nothing came back of nobody knows whether it was worked on. */
function usageOf({ begun, end, told, generated }: AnswerSoFar, sent: unknown): ModelUsage {
  if (!begun) return UNKNOWN_USAGE
  if (end === undefined || end.reason === 'interrupted') return usageOfAnswer({ told, isWhole: false, generated }, sent)
  return usageOfAnswer({ told: { ...told, ...usageInEnd(end.usage) }, isWhole: true, generated }, sent)
}

function failureOf(
  error: unknown,
  { provider, model, timeouts }: ProviderModelOptions,
  { begun, text: partialText }: AnswerSoFar,
  usage: ModelUsage,
  expired: { silent: boolean; afterMs: number } | undefined,
): ModelError {
  const name = `${provider}/${model}`
  if (error instanceof ModelError) return error
  if (expired === undefined) return toModelError({ error, name, now: new Date(), usage, partialText, begun })
  const details = { usage, partialText }
  if (expired.silent) {
    const sentence = `${name} was silent for ${expired.afterMs / 1000} seconds`
    return new ModelError('provider_timeout', sentence, { kind: 'pushback', ...details })
  }
  // It did not push back: it went on writing, and is paid for it each time.
  const sentence = `${name} did not finish its answer within ${timeouts.totalMs / 1000} seconds (MODEL_TIMEOUT_MS)`
  return new ModelError('answer_timeout', sentence, { kind: 'malformed', ...details })
}

function aborted(usage?: ModelUsage, partialText?: string): ModelError {
  return new ModelError('aborted', 'The model call was aborted', { kind: 'aborted', usage, partialText })
}

/**
 * Converts a call.
 * @param isLast - whether it is the last call of an incomplete response: if it has no arguments, they were cut off.
 */
function toCall(
  { toolCallId: id, toolName, input }: LanguageModelV4ToolCall,
  names: WireNames,
  isLast: boolean,
): ModelToolCall {
  const call = { id, name: names.fromWire(toolName) }
  const written = toolArguments(input)
  if (written === undefined) return { ...call, arguments: {}, malformed: input }
  const isCut = isLast && Object.keys(written).length === 0
  return isCut ? { ...call, arguments: {}, malformed: `${input} (cut off)` } : { ...call, arguments: written }
}

/** An error may cite what was sent, and all of an answer that cannot be read. */
function readable(error: ModelError, secrets: string[]): ModelError {
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), error.message)
  error.message = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)} …` : message
  return error
}
