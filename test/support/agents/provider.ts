export default {
  name: 'provider',
  role: 'Provider user',
  goal: 'Ask a model over the wire',
  instructions: 'You are a test.',
  model: 'openai-compatible/test-model',
  tools: [
    {
      name: 'double',
      description: 'Doubles a number.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }) => n * 2,
    },
  ],
}
