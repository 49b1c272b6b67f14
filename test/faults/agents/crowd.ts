interface Context {
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

export default {
  name: 'crowd',
  role: 'Crowd',
  goal: 'Call a tool very often at once that calls a model agent each time',
  model: 'scripted',
  tools: [
    {
      name: 'ask',
      description: 'Asks another agent.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }, { callAgent }: Context) => callAgent('crowd-member', { n }),
    },
  ],
  script: ({ step, inputs, results }: { step: number; inputs: { calls: number }; results: { result?: string }[] }) =>
    step === 0
      ? { toolCalls: Array.from({ length: inputs.calls }, (_, n) => ({ name: 'ask', arguments: { n } })) }
      : { text: `${results.filter(({ result }, n) => result === `member ${n}`).length} answers` },
}
