import provider from './provider.ts'

export default { ...provider, name: 'provider-away', model: 'openai-compatible/away' }
