import { AsyncLocalStorage } from 'node:async_hooks'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createGroq } from '@ai-sdk/groq'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Config } from '../../config.ts'
import { ModelError } from './model.ts'
import type { ProviderName } from '../../core/model-name.ts'
import { boundedAnswer } from './bounded-answer.ts'
import { byTurns } from './by-turns.ts'
import { fetchAtHost } from './fetch-at-host.ts'
import { withinLimit } from './output-limit.ts'
import { unhurriedFetch } from './unhurried-fetch.ts'
import { withoutError } from './without-error.ts'

/** The part of the configuration that says how providers are reached, and how long they may take. */
export type ProviderConfig = Partial<
  Pick<
    Config,
    | 'OPENAI_API_KEY'
    | 'OPENAI_BASE_URL'
    | 'OPENAI_API'
    | 'ANTHROPIC_API_KEY'
    | 'ANTHROPIC_BASE_URL'
    | 'GOOGLE_GENERATIVE_AI_API_KEY'
    | 'GOOGLE_BASE_URL'
    | 'GROQ_API_KEY'
    | 'GROQ_BASE_URL'
    | 'OPENAI_COMPATIBLE_API_KEY'
    | 'OPENAI_COMPATIBLE_BASE_URL'
    | 'MODEL_TIMEOUT_MS'
  >
>

const OPENAI_URL = 'https://api.openai.com/v1'

/** Where local servers listen unless OPENAI_COMPATIBLE_BASE_URL says otherwise. */
const LOCAL_URLS: Partial<Record<ProviderName, string>> = {
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
}

/** A protocol that providers speak. */
export type Wire = 'responses' | 'chat' | 'anthropic' | 'google'

/** The protocol that is spoken with a provider. */
export function wireOf(provider: ProviderName, config: ProviderConfig): Wire {
  if (provider === 'openai') return openaiApi(config)
  return provider === 'anthropic' || provider === 'google' ? provider : 'chat'
}

/**
 * Answers that begin to be read in a turn of the event loop. Many may come at once, and each keeps the thread busy for most of a
 * millisecond: read all in one turn, they would go on together, too, each step of theirs behind that of all others.
 */
const turn = byTurns(4)

/** A call on its way to the provider. */
export interface WireCall {
  /** The provider has begun to respond. */
  heard: () => void
  /** What the answer may have at most, with all that is thought; undefined where only the agent's settings say. */
  maxOutputTokens: number | undefined
  warn: (warning: string) => void
}

/** The call that is being made. */
export const wireCall = new AsyncLocalStorage<WireCall>()

/**
 * The adapter of a provider's model, for any number of calls. Makes no call.
 * @throws ModelError missing_key or missing_base_url, naming the variable.
 */
export function languageModel(provider: ProviderName, model: string, config: ProviderConfig): LanguageModelV4 {
  const fetch = heardFetch()
  switch (provider) {
    case 'openai': {
      const baseURL = config.OPENAI_BASE_URL ?? OPENAI_URL
      const openai = createOpenAI({ apiKey: key(provider, config, 'OPENAI_API_KEY'), baseURL, fetch })
      return openaiApi(config) === 'responses' ? openai.responses(model) : openai.chat(model)
    }
    case 'anthropic': {
      const settings = {
        apiKey: key(provider, config, 'ANTHROPIC_API_KEY'),
        fetch: limitedFetch(fetch),
        ...baseUrl(config.ANTHROPIC_BASE_URL),
      }
      return createAnthropic(settings)(model)
    }
    case 'google': {
      const apiKey = key(provider, config, 'GOOGLE_GENERATIVE_AI_API_KEY')
      return createGoogle({ apiKey, fetch, ...baseUrl(config.GOOGLE_BASE_URL) })(model)
    }
    case 'groq':
      return createGroq({ apiKey: key(provider, config, 'GROQ_API_KEY'), fetch, ...baseUrl(config.GROQ_BASE_URL) })(
        model,
      )
    default: {
      const baseURL = config.OPENAI_COMPATIBLE_BASE_URL ?? LOCAL_URLS[provider]
      if (!baseURL) throw missing('missing_base_url', provider, 'OPENAI_COMPATIBLE_BASE_URL')
      const apiKey = config.OPENAI_COMPATIBLE_API_KEY
      const settings = { name: provider, baseURL, fetch, includeUsage: true, supportsStructuredOutputs: true }
      return createOpenAICompatible({ ...settings, ...(apiKey && { apiKey }) })(model)
    }
  }
}

/**
 * Which of OpenAI's two APIs is spoken: OPENAI_API, else the Responses API with OpenAI itself, which develops it, and chat
 * completions behind another OPENAI_BASE_URL, which is what others speak.
 */
function openaiApi({ OPENAI_API, OPENAI_BASE_URL }: ProviderConfig): 'responses' | 'chat' {
  if (OPENAI_API !== undefined) return OPENAI_API
  return new URL(OPENAI_BASE_URL ?? OPENAI_URL).host === new URL(OPENAI_URL).host ? 'responses' : 'chat'
}

/** A fetch that tells the call's listener of a good response, and throws the error that a response of 200 may be instead. */
function heardFetch(): typeof globalThis.fetch {
  const fetch = fetchAtHost(unhurriedFetch())
  return async (input, init) => {
    const response = await withoutError(boundedAnswer(await fetch(input, init)))
    await turn()
    if (response.ok) wireCall.getStore()?.heard()
    return response
  }
}

function limitedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const { maxOutputTokens, warn } = wireCall.getStore() ?? {}
    if (maxOutputTokens === undefined || warn === undefined || typeof init?.body !== 'string') return fetch(input, init)
    return fetch(input, { ...init, body: withinLimit(init.body, maxOutputTokens, warn) })
  }
}

function baseUrl(baseURL: string | undefined): { baseURL?: string } {
  return baseURL ? { baseURL } : {}
}

function key(provider: ProviderName, config: ProviderConfig, variable: keyof ProviderConfig & `${string}_KEY`): string {
  const value = config[variable]
  if (!value) throw missing('missing_key', provider, variable)
  return value
}

function missing(code: string, provider: ProviderName, variable: string): ModelError {
  return new ModelError(code, `Models of ${provider} need ${variable}: set it in the worker's environment`, {
    kind: 'refused',
  })
}
