import { expect } from 'chai'
import type { ProviderConfig } from '../../agents/models/language-model.ts'
import type { ModelError, ModelRequest, OfferedTool } from '../../agents/models/model.ts'

/** The key of every provider; no message may carry it. */
export const KEY = 'sk-the-secret-of-this-test'

/** A tool with one text. */
export const search: OfferedTool = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

/** A first call of a small agent. */
export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    agent: { name: 'tested', role: 'r', goal: 'g', instructions: 'Be brief.', model: 'openai/some-model' },
    inputs: {},
    turns: [{ role: 'user', text: 'Hello' }],
    tools: [],
    step: 0,
    signal: new AbortController().signal,
    ...overrides,
  }
}

/** Every provider at one address. */
export function configFor(url: string): ProviderConfig {
  return {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: url,
    GOOGLE_GENERATIVE_AI_API_KEY: KEY,
    GOOGLE_BASE_URL: url,
    GROQ_API_KEY: KEY,
    GROQ_BASE_URL: url,
    OPENAI_COMPATIBLE_BASE_URL: url,
  }
}

/** What a call that must fail failed with. */
export async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  return promise.then(
    () => expect.fail('the call should have failed'),
    (error: unknown) => error as ModelError,
  )
}
