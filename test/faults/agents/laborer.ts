import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

interface Inputs {
  steps: number
  calls: number
  ms: number
}

// Each tool call says when it began: a test compares that with the time at which the call's result was recorded.
export default {
  name: 'laborer',
  role: 'Laborer',
  goal: 'Make tool calls that tell when they began',
  model: 'scripted',
  maxSteps: 100,
  tools: [
    {
      name: 'work',
      description: 'Works for a while.',
      parameters: {
        type: 'object',
        properties: { place: { type: 'string' }, ms: { type: 'number' } },
        required: ['place', 'ms'],
      },
      execute: async ({ place, ms }: { place: string; ms: number }, { jobId }: { jobId: string }) => {
        count(jobId, `${place} ${Date.now()}`)
        await sleep(ms)
        return place
      },
    },
  ],
  script: ({ step, inputs }: { step: number; inputs: Inputs }) => ({
    ...(step < inputs.steps
      ? {
          toolCalls: Array.from({ length: inputs.calls }, (_, call) => ({
            name: 'work',
            arguments: { place: `m${pad(step, 5)}.c${pad(call, 3)}`, ms: inputs.ms },
          })),
        }
      : { text: 'done' }),
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  }),
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
