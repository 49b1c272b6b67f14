export default {
  name: 'parent',
  role: 'Parent',
  goal: 'Delegate to agents that take long',
  model: 'scripted',
  delegates: ['slow', 'slow-tool'],
  script: ({ step }: { step: number }) => ({
    ...(step === 0
      ? {
          toolCalls: [
            { name: 'slow', arguments: { inputs: { ms: 600_000 } } },
            { name: 'slow-tool', arguments: { query: 'wait' } },
          ],
        }
      : { text: 'both came back' }),
    usage: { prompt_tokens: 11, completion_tokens: 4 },
  }),
}
