import claude from './claude.ts'

export default {
  ...claude,
  name: 'claude-hourly',
  settings: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } },
}
