export default {
  name: 'metered',
  role: 'Metered',
  goal: 'Use tokens, a tool and another agent',
  model: 'scripted',
  delegates: ['reader'],
  tools: [
    {
      name: 'double',
      description: 'Doubles a number.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }, { log }: { log: (message: string) => void }) => {
        log('doubling')
        return n * 2
      },
    },
  ],
  script: ({ step, inputs }: { step: number; inputs: { query: string } }) => {
    const usage = { prompt_tokens: 11, completion_tokens: 7 }
    if (step > 0) return { text: `done: ${inputs.query}`, usage }
    const toolCalls = [
      { name: 'double', arguments: { n: 21 } },
      { name: 'reader', arguments: { query: 'read' } },
    ]
    return { toolCalls, usage }
  },
}
