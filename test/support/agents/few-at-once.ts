import provider from './provider.ts'

export default { ...provider, name: 'few-at-once', model: 'openai-compatible/few-at-once' }
