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

/** The part of the configuration that defines access to the providers and time limits. */
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

/** Default URLs of local servers, if OPENAI_COMPATIBLE_BASE_URL is not set. */
const LOCAL_URLS: Partial<Record<ProviderName, string>> = {
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
}

/** A provider's protocol. */
export type Wire = 'responses' | 'chat' | 'anthropic' | 'google'

/** Returns the protocol for a provider. */
export function wireOf(provider: ProviderName, config: ProviderConfig): Wire {
  if (provider === 'openai') return openaiApi(config)
  return provider === 'anthropic' || provider === 'google' ? provider : 'chat'
}

/**
 * Limits how many responses begin to be read in one turn of the event loop. Many can arrive at once, and each occupies
 * the thread for most of a millisecond. If all began in one turn, each of their next steps would wait for those of all
 * others.
 */
const turn = byTurns(4)

/** A call in progress. */
export interface WireCall {
  /** Called when the provider has begun to respond. */
  heard: () => void
  /** Maximum tokens of the response, including reasoning; undefined if only the agent's settings limit it. */
  maxOutputTokens: number | undefined
  warn: (warning: string) => void
}

/** The current call. */
export const wireCall = new AsyncLocalStorage<WireCall>()

/**
 * Creates the adapter of a provider's model, for any number of calls. Makes no call itself.
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
 * Selects one of OpenAI's two APIs: OPENAI_API if set; else the Responses API for OpenAI itself, its developer, and
 * chat completions for any other OPENAI_BASE_URL, because other servers implement these.
 */
function openaiApi({ OPENAI_API, OPENAI_BASE_URL }: ProviderConfig): 'responses' | 'chat' {
  if (OPENAI_API !== undefined) return OPENAI_API
  return new URL(OPENAI_BASE_URL ?? OPENAI_URL).host === new URL(OPENAI_URL).host ? 'responses' : 'chat'
}

/**
 * Creates a fetch that reports a successful response to the call, and throws the error that a response with status 200
 * may contain.
 */
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
