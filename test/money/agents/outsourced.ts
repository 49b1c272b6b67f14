export default {
  name: 'outsourced',
  role: 'Outsourced',
  goal: 'Call a tool, and say what it gave',
  model: 'scripted',
  script: ({ step, inputs, results }: { step: number; inputs: { n: number }; results: object[] }) =>
    step > 0 ? { text: JSON.stringify(results) } : { toolCalls: [{ name: 'double', arguments: { n: inputs.n } }] },
  tools: [
    {
      name: 'double',
      description: 'Doubles a number.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }) => n * 2,
    },
  ],
}
