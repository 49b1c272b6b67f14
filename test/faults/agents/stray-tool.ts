import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'stray-tool',
  role: 'Stray tool',
  goal: 'Reject a promise in a tool that nobody waits for',
  model: 'scripted',
  tools: [
    {
      name: 'float',
      description: 'Leaves a promise behind.',
      parameters: { type: 'object', properties: {} },
      execute: async (_: unknown, { jobId }: { jobId: string }) => {
        count(jobId, `begin ${process.pid}`)
        void Promise.reject(new Error('rejected and not awaited'))
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        return 'done'
      },
    },
  ],
  script: ({ step }: { step: number }) =>
    step === 0 ? { toolCalls: [{ name: 'float', arguments: {} }] } : { text: 'nothing happened' },
}
