/** The providers that a model's name can start with. */
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

/** The name of the model that needs no network: its answers come from the agent's `script`. */
export const SCRIPTED = 'scripted'

/** What a wrong model name is told. */
export const MODEL_NAME_RULE = `must be "scripted" or "provider/model" with a provider out of ${PROVIDERS.join(', ')}`

/** Whether a name is that of a model; see {@link MODEL_NAME_RULE}. */
export function isModelName(name: string): boolean {
  return name === SCRIPTED || parseModelName(name) !== undefined
}

/**
 * Takes `provider/model` apart; the model's own part may hold slashes.
 * @returns undefined when the name has another form or names an unknown provider.
 */
export function parseModelName(name: string): { provider: ProviderName; model: string } | undefined {
  const [prefix = '', ...rest] = name.split('/')
  const model = rest.join('/')
  const provider = PROVIDERS.find((known) => known === prefix)
  return provider && model !== '' ? { provider, model } : undefined
}
