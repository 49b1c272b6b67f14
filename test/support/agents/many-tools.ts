import { count } from './_gate.ts'

export default {
  name: 'many-tools',
  role: 'Tool user',
  goal: 'Make very many tool calls',
  model: 'scripted',
  maxSteps: 2_000,
  tools: [
    {
      name: 'add',
      description: 'Adds one.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }, { jobId }: { jobId: string }) => {
        count(jobId, `add ${n}`)
        return n + 1
      },
    },
  ],
  script: ({ step, inputs }: { step: number; inputs: { steps: number; calls: number } }) =>
    step < inputs.steps
      ? {
          toolCalls: Array.from({ length: inputs.calls }, (_, call) => ({
            name: 'add',
            arguments: { n: step * inputs.calls + call },
          })),
        }
      : { text: 'counted' },
}
