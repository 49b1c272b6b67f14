import { count, gate } from './_gate.ts'

export default {
  name: 'gated',
  role: 'Gated',
  goal: 'Answer when the test lets it, in plain code',
  run: async (
    { gate: name, value = null, fail = false }: { gate: string; value?: unknown; fail?: boolean },
    { jobId, signal }: { jobId: string; signal: AbortSignal },
  ) => {
    count(jobId, 'begin')
    await gate(name, signal)
    count(jobId, 'end')
    if (fail) throw new Error('the gate opened and it failed')
    return { value }
  },
}
