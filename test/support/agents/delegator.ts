export default {
  name: 'delegator',
  role: 'Delegator',
  goal: 'Delegate to others',
  model: 'scripted',
  delegates: ['upper', 'failing', 'endless'],
  tools: [
    {
      name: 'broken',
      description: 'Always throws.',
      parameters: { type: 'object', properties: {}, required: [] },
      execute: () => {
        throw new Error('the tool is broken')
      },
    },
  ],
  script: ({ step, results }: { step: number; results: unknown[] }) =>
    step === 0
      ? {
          toolCalls: [
            { name: 'upper', arguments: { inputs: { text: 'delegated' } } },
            { name: 'failing', arguments: { query: 'fail please' } },
            { name: 'endless', arguments: { query: 'go' } },
            { name: 'broken', arguments: {} },
            { name: 'unheard-of', arguments: {} },
          ],
        }
      : { text: JSON.stringify(results) },
}
