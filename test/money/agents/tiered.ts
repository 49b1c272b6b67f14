export default {
  name: 'tiered',
  role: 'Buyer',
  goal: 'Ask a model that has a published price',
  model: 'openai/gpt-5-nano',
}
