export default {
  name: 'spender',
  role: 'Spender',
  goal: 'Ask a model for as long as that asks for tools',
  model: 'openai/gpt-5-mini',
  settings: { maxOutputTokens: 100 },
  maxSteps: 50,
  tools: [
    {
      name: 'double',
      description: 'Doubles a number.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }) => n * 2,
    },
  ],
}
