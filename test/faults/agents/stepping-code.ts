import { count, gate } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  signal: AbortSignal
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
  step: <Result>(name: string, work: () => Result) => Promise<Result>
  sleep: (durationMs: number) => Promise<void>
}

export default {
  name: 'stepping-code',
  role: 'Stepping code',
  goal: 'Do everything that is recorded once, then wait for the gate named after the job',
  run: async ({ ms }: { ms: number }, { jobId, signal, step, sleep, callAgent }: Context) => {
    count(jobId, 'entered')
    const first = await step('first', () => {
      count(jobId, 'first')
      return process.hrtime.bigint().toString()
    })
    const told = await callAgent('teller', { text: 'between' })
    const before = Date.now()
    await sleep(ms)
    count(jobId, `slept ${Date.now() - before >= ms - 100 ? 'long' : 'no more'}`)
    await step('last', () => count(jobId, 'last'))
    count(jobId, JSON.stringify({ first, told }))
    await gate(jobId, signal)
    return { first, told }
  },
}
