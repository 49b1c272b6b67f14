/** The provider prefixes of model names. */
export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'groq',
  'openai-compatible',
  'ollama',
  'vllm',
  'lmstudio',
] as const

export type ProviderName = (typeof PROVIDERS)[number]

/** The model that needs no network: its responses come from the agent's `script`. */
export const SCRIPTED = 'scripted'

/** The predicate of the error sentence for a wrong model name. */
export const MODEL_NAME_RULE = `must be "scripted" or "provider/model" with a provider out of ${PROVIDERS.join(', ')}`

/** Whether a text is a valid model name; see {@link MODEL_NAME_RULE}. */
export function isModelName(name: string): boolean {
  return name === SCRIPTED || parseModelName(name) !== undefined
}

/**
 * Splits `provider/model`. The model part may contain slashes.
 * @returns undefined if the form is wrong or the provider is unknown.
 */
export function parseModelName(name: string): { provider: ProviderName; model: string } | undefined {
  const [prefix = '', ...rest] = name.split('/')
  const model = rest.join('/')
  const provider = PROVIDERS.find((known) => known === prefix)
  return provider && model !== '' ? { provider, model } : undefined
}
