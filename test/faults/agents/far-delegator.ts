export default {
  name: 'far-delegator',
  role: 'Far delegator',
  goal: 'Delegate to agents of another pool, and to one of its own with arguments that it cannot use',
  model: 'scripted',
  delegates: ['far-model', 'far-coder', 'upper'],
  script: ({ step, results }: { step: number; results: { result?: unknown; error?: string }[] }) =>
    step === 0
      ? {
          toolCalls: [
            { name: 'far-model', arguments: { query: 'one' } },
            { name: 'far-coder', arguments: { inputs: { text: 'two' } } },
            { name: 'upper', arguments: { query: 'three' } },
            { name: 'upper', arguments: { text: 'neither query nor inputs' } },
          ],
        }
      : { text: JSON.stringify(results.map(({ result, error }) => result ?? { error })) },
}
