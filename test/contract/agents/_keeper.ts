/** Asks a provider, and shares what it answers with every agent that asks the same. */
export function keeper(name: string, cache: unknown) {
  return {
    name,
    role: 'Keeper',
    goal: 'Ask once',
    instructions: 'Say something.',
    model: 'openai-compatible/test-model',
    cache,
  }
}
