import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'sleeper',
  role: 'Sleeper',
  goal: 'Sleep durably and tell how often it was entered',
  run: async (
    { ms }: { ms: number },
    { jobId, sleep }: { jobId: string; sleep: (durationMs: number) => Promise<void> },
  ) => {
    count(jobId, 'entered')
    await sleep(ms)
    count(jobId, 'awake')
    return { awake: true }
  },
}
