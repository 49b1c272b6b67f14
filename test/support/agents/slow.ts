import { setTimeout as sleep } from 'node:timers/promises'
import { count } from './_gate.ts'

export default {
  name: 'slow',
  role: 'Slow',
  goal: 'Take a while in plain code',
  run: async (
    { ms = 1000, tag }: { ms?: number; tag?: string },
    { jobId, signal }: { jobId: string; signal: AbortSignal },
  ) => {
    count(jobId, 'begin')
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      count(jobId, `aborted ${Date.now()}`)
      throw error
    })
    count(jobId, 'end')
    return { tag: tag ?? null }
  },
}
