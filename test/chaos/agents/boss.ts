import { effect } from './_effect.ts'
import type { Toil } from './toiler.ts'

// One of its delegates lives in another pool.
export default {
  name: 'boss',
  role: 'Boss',
  goal: 'Delegate to agents of this pool and of another one',
  model: 'scripted',
  delegates: ['toiler', 'far'],
  script: ({ step, inputs, results }: { step: number; inputs: Toil; results: { result?: unknown }[] }) => {
    effect(inputs.marker, `0.m${String(step).padStart(5, '0')}`)
    if (step > 0) return { text: JSON.stringify(results.map(({ result }) => result)) }
    const toil = { ...inputs, at: '0>m00000.c000' }
    return {
      toolCalls: [
        { name: 'toiler', arguments: { inputs: toil } },
        { name: 'far', arguments: { inputs: { marker: inputs.marker, at: '0.m00000.c001', ms: inputs.ms } } },
      ],
    }
  },
}
