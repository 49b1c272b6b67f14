interface Context {
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

/** Calls a tool as often as it is told, all at once, each of which calls an agent that calls a tool itself. */
export default {
  name: 'outsourcer',
  role: 'Outsourcer',
  goal: 'Call tools that leave their work to an agent',
  model: 'scripted',
  script: ({ step, inputs, results }: { step: number; inputs: { calls: number }; results: object[] }) =>
    step > 0
      ? { text: JSON.stringify(results) }
      : { toolCalls: Array.from({ length: inputs.calls }, (_, n) => ({ name: 'outsource', arguments: { n } })) },
  tools: [
    {
      name: 'outsource',
      description: 'Has an agent do it.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }, { callAgent }: Context) => callAgent('outsourced', { n }),
    },
  ],
}
