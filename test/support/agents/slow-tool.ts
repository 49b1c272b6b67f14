import { setTimeout as sleep } from 'node:timers/promises'
import { count } from './_gate.ts'

export default {
  name: 'slow-tool',
  role: 'Slow tool user',
  goal: 'Be canceled inside a tool',
  model: 'scripted',
  tools: [
    {
      name: 'wait',
      description: 'Waits for a minute.',
      parameters: { type: 'object', properties: {}, required: [] },
      execute: async (_: unknown, { jobId, signal }: { jobId: string; signal: AbortSignal }) => {
        count(jobId, 'begin')
        await sleep(60_000, undefined, { signal }).catch((error: unknown) => {
          count(jobId, `aborted ${Date.now()}`)
          throw error
        })
        return 'waited'
      },
    },
  ],
  script: ({ step }: { step: number }) => ({
    ...(step === 0 ? { toolCalls: [{ name: 'wait', arguments: {} }] } : { text: 'done' }),
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  }),
}
