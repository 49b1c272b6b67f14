import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
  step: (name: string, work: () => void) => Promise<void>
}

const begun = new Set<string>()

export default {
  name: 'hasty',
  role: 'Hasty',
  goal: 'Fail once while a call is under way, and wait for the call when it is tried again',
  run: async ({ ms }: { ms: number }, { jobId, callAgent, step }: Context) => {
    count(jobId, 'entered')
    await step('once', () => count(jobId, 'stepped'))
    const answer = callAgent('slow', { ms })
    if (begun.has(jobId)) return { answer: await answer }
    begun.add(jobId)
    answer.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    throw Object.assign(new Error('Once more.'), { retryable: true })
  },
}
