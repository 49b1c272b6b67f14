import { z } from 'zod'
import { gate } from './_gate.ts'

export default {
  name: 'reckoner',
  role: 'Reckoner',
  goal: 'Use a tool once and answer, at a known price',
  model: 'scripted',
  tools: [
    {
      name: 'square',
      description: 'Squares a number.',
      parameters: z.object({ n: z.number().describe('The number.'), digits: z.int().optional() }),
      execute: ({ n }: { n: number }) => n * n,
    },
    {
      name: 'nothing',
      description: 'Takes no arguments.',
      parameters: { type: 'object' },
      execute: () => null,
    },
  ],
  script: async ({
    step,
    inputs,
    results,
  }: {
    step: number
    inputs: { n: number; gate?: string }
    results: unknown[]
  }) => {
    if (inputs.gate !== undefined) await gate(inputs.gate)
    return {
      ...(step === 0
        ? { toolCalls: [{ name: 'square', arguments: { n: inputs.n } }] }
        : { text: String((results[0] as { result: number }).result) }),
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }
  },
}
