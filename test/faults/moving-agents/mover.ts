import { count, gate } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  signal: AbortSignal
  step: <Result>(name: string, work: () => Result) => Promise<Result>
}

export default {
  name: 'mover',
  role: 'Mover',
  goal: 'Go on in another pool when its own has gone',
  run: async (_inputs: unknown, { jobId, signal, step }: Context) => {
    const worker = await step('paid', () => {
      count(jobId, 'paid')
      return process.pid
    })
    count(jobId, `waits ${process.pid}`)
    await gate(jobId, signal)
    return { paid: worker, ended: process.pid }
  },
}
