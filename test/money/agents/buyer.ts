export default {
  name: 'buyer',
  role: 'Buyer',
  goal: 'Ask a model that has a price',
  model: 'openai/gpt-5-mini',
  tools: [
    {
      name: 'double',
      description: 'Doubles a number.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }) => n * 2,
    },
  ],
}
