import { count, gate } from './_gate.ts'

export default {
  name: 'patient',
  role: 'Patient',
  goal: 'Answer when the gate opens that is named after the job',
  run: async (_: unknown, { jobId, signal }: { jobId: string; signal: AbortSignal }) => {
    count(jobId, 'begin')
    await gate(jobId, signal)
    return { message: 'at last' }
  },
}
