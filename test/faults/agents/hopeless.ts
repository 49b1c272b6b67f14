import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'hopeless',
  role: 'Hopeless',
  goal: 'Fail after a while, and ask to be tried again',
  run: async ({ ms }: { ms: number }, { jobId }: { jobId: string }) => {
    count(jobId, 'begin')
    await sleep(ms)
    throw Object.assign(new Error('Not today.'), { retryable: true })
  },
}
