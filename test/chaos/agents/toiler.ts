import { setTimeout as sleep } from 'node:timers/promises'
import { effect, pathOf } from './_effect.ts'

export interface Toil {
  marker: string
  /** Path of the run. */
  at: string
  steps: number
  calls: number
  ms: number
  /** Of each result: large ones go to the object store. */
  bytes: number
}

interface Call {
  marker: string
  ms: number
  bytes: number
}

export default {
  name: 'toiler',
  role: 'Toiler',
  goal: 'Call tools in rounds',
  model: 'scripted',
  maxSteps: 50,
  tools: [
    {
      name: 'work',
      description: 'Works for a while.',
      parameters: {
        type: 'object',
        properties: { marker: { type: 'string' }, ms: { type: 'number' }, bytes: { type: 'number' } },
      },
      execute: async ({ marker, ms, bytes }: Call, { callKey, signal }: { callKey: string; signal: AbortSignal }) => {
        effect(marker, pathOf(callKey))
        await sleep(ms, undefined, { signal })
        return { at: pathOf(callKey), pad: 'x'.repeat(bytes) }
      },
    },
  ],
  script: ({ step, inputs, results }: { step: number; inputs: Toil; results: { result?: { at: string } }[] }) => {
    const { marker, at, steps, calls, ms, bytes } = inputs
    effect(marker, `${at}.m${String(step).padStart(5, '0')}`)
    return {
      ...(step < steps
        ? { toolCalls: Array.from({ length: calls }, () => ({ name: 'work', arguments: { marker, ms, bytes } })) }
        : { text: `toiled ${results.filter(({ result }) => result?.at !== undefined).length}` }),
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    }
  },
}
