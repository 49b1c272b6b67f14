import provider from './provider.ts'

export default {
  ...provider,
  name: 'provider-fallback',
  model: ['openai-compatible/first', 'anthropic/claude-sonnet-4-5'],
}
