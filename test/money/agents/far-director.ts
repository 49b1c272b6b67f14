export default {
  name: 'far-director',
  role: 'Far director',
  goal: 'Delegate to an agent of another pool',
  model: 'scripted',
  delegates: ['far-spender'],
  script: ({ step, results }: { step: number; results: object[] }) =>
    step === 0
      ? { toolCalls: [{ name: 'far-spender', arguments: { query: 'far' } }] }
      : { text: JSON.stringify(results) },
}
