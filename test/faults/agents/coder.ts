import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'coder',
  role: 'Coder',
  goal: 'Take a while in plain code and tell when it began',
  run: async ({ ms, value = null }: { ms: number; value?: unknown }, { jobId }: { jobId: string }) => {
    count(jobId, `end ${Date.now()}`)
    await sleep(ms)
    return { value }
  },
}
