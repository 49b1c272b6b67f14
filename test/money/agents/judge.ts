export default {
  name: 'judge',
  role: 'Judge',
  goal: 'Say how many stars a review would give',
  model: 'openai/gpt-5-mini',
  outputRepairs: 0,
  output: {
    type: 'object',
    properties: { stars: { type: 'integer' } },
    required: ['stars'],
    additionalProperties: false,
  },
}
