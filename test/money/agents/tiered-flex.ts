export default {
  name: 'tiered-flex',
  role: 'Buyer',
  goal: 'Ask a model that has a published price',
  model: 'openai/gpt-5-nano',
  settings: { providerOptions: { openai: { serviceTier: 'flex' } } },
}
