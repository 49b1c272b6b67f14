import { generateText, jsonSchema, tool, type LanguageModel, type LanguageModelUsage, type ToolSet } from 'ai'
import { isObject } from '../../core/json.ts'
import { ModelError, type Model, type ModelAnswer, type ModelRequest, type ModelToolCall } from './model.ts'
import { timedOut, toModelError } from './provider-failure.ts'
import { toMessages } from './turns.ts'
import { wireNames, type WireNames } from './wire-names.ts'

// The package writes hints to the console of the process that uses it; ours is a structured log.
globalThis.AI_SDK_LOG_WARNINGS = false

export interface ProviderModelOptions {
  provider: string
  model: string
  languageModel: LanguageModel
  /** How long one call may take in all. */
  requestTimeoutMs: number
  /** Strings that no message may carry. */
  secrets: string[]
}

/** Ends that leave nothing to go on with; the same request would end the same way. */
const NO_ANSWER = new Set(['content-filter', 'length'])

/** A provider's model as a Model: one HTTP call per `generate`, never retried here. */
export function providerModel(options: ProviderModelOptions): Model {
  const { provider, model, requestTimeoutMs } = options
  const name = `${provider}/${model}`
  return {
    provider,
    model,
    async generate(request) {
      const timeout = AbortSignal.timeout(requestTimeoutMs)
      const names = wireNames(request.tools.map((offered) => offered.name))
      try {
        const answer = await call(options, request, names, AbortSignal.any([request.signal, timeout]))
        return { provider, model, ...answer }
      } catch (error) {
        if (request.signal.aborted) throw new DOMException('The model call was aborted', 'AbortError')
        if (timeout.aborted) throw timedOut(name, requestTimeoutMs)
        const failure = error instanceof ModelError ? error : toModelError(error, name, new Date())
        throw withoutSecrets(failure, options.secrets)
      }
    },
  }
}

async function call(
  { languageModel, provider, model }: ProviderModelOptions,
  { agent, turns, tools }: ModelRequest,
  names: WireNames,
  abortSignal: AbortSignal,
): Promise<Omit<ModelAnswer, 'provider' | 'model'>> {
  const messages = toMessages(turns, names.toWire)
  const result = await generateText({
    model: languageModel,
    ...(agent.instructions && { instructions: agent.instructions }),
    messages,
    tools: toToolSet(tools, names),
    // Temporal retries, with what the provider asked for; a retry down here would be hidden from it.
    maxRetries: 0,
    abortSignal,
  })
  const calls = result.toolCalls.map((each) => toCall(each, names))
  if (result.text === '' && calls.length === 0 && NO_ANSWER.has(result.finishReason)) {
    const message = `${provider}/${model} ended without an answer (${result.finishReason})`
    throw new ModelError('no_answer', message, { retryable: false })
  }
  return { text: result.text, calls, usage: usageOf(result, calls, [agent.instructions, messages, tools]) }
}

/** What the provider measured; where it did not, an estimate from what was sent and what came back. */
function usageOf(
  { usage, text }: { usage: LanguageModelUsage; text: string },
  calls: ModelToolCall[],
  sent: unknown[],
): ModelAnswer['usage'] {
  const { inputTokens, outputTokens, inputTokenDetails } = usage
  if (inputTokens !== undefined || outputTokens !== undefined) {
    return {
      prompt_tokens: inputTokens ?? 0,
      completion_tokens: outputTokens ?? 0,
      cached_tokens: inputTokenDetails.cacheReadTokens ?? 0,
      source: 'measured',
    }
  }
  return {
    prompt_tokens: estimate(sent),
    completion_tokens: estimate([text, ...calls.map((each) => each.arguments)]),
    cached_tokens: 0,
    source: 'estimated',
  }
}

function toToolSet(tools: ModelRequest['tools'], names: WireNames): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      names.toWire(name),
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  )
}

function toCall(call: { toolCallId: string; toolName: string; input: unknown }, names: WireNames): ModelToolCall {
  const shared = { id: call.toolCallId, name: names.fromWire(call.toolName) }
  if (isObject(call.input)) return { ...shared, arguments: call.input }
  const malformed = typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
  return { ...shared, arguments: {}, malformed }
}

/** About four characters a token: what is left when a provider does not count. */
function estimate(parts: unknown[]): number {
  return Math.ceil(JSON.stringify(parts).length / 4)
}

function withoutSecrets(error: ModelError, secrets: string[]): ModelError {
  error.message = secrets.reduce((message, secret) => message.replaceAll(secret, '…'), error.message)
  return error
}
