import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  signal: AbortSignal
  step: (name: string, work: () => Promise<unknown>) => Promise<unknown>
}

export default {
  name: 'toiler',
  role: 'Toiler',
  goal: 'Call a tool that goes on in steps for longer than its budget of time',
  model: 'scripted',
  budget: { ms: 1_500 },
  script: () => ({ toolCalls: [{ name: 'toil', arguments: {} }] }),
  tools: [
    {
      name: 'toil',
      description: 'Makes one paid step after the other.',
      execute: async (_: unknown, { jobId, signal, step }: Context) => {
        signal.addEventListener('abort', () => count(jobId, 'told'))
        for (let n = 0; n < 40; n += 1) {
          await step(`paid ${n}`, async () => {
            count(jobId, 'paid')
            await sleep(200)
          })
        }
      },
    },
  ],
}
