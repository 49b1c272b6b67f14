import { setTimeout as sleep } from 'node:timers/promises'
import { effect, pathOf } from './_effect.ts'

export default {
  name: 'asker',
  role: 'Asker',
  goal: 'Ask a model over the wire',
  model: 'openai-compatible/chaos',
  tools: [
    {
      name: 'note',
      description: 'Notes a word.',
      parameters: { type: 'object', properties: { marker: { type: 'string' } }, required: ['marker'] },
      execute: async ({ marker }: { marker: string }, { callKey }: { callKey: string }) => {
        effect(marker, pathOf(callKey))
        await sleep(50)
        return 'noted'
      },
    },
  ],
}
