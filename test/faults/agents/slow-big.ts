import { count, gate } from '../../support/agents/_gate.ts'

export default {
  name: 'slow-big',
  role: 'Slow and big',
  goal: 'Answer with many bytes once the test says so',
  run: async ({ bytes }: { bytes: number }, { jobId }: { jobId: string }) => {
    count(jobId, 'begin')
    await gate(jobId)
    return { text: 'x'.repeat(bytes) }
  },
}
