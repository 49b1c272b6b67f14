import provider from './provider.ts'

export default { ...provider, name: 'provider-patient', model: 'openai-compatible/patient' }
