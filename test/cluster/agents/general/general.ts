import { count, gate } from '../../../support/agents/_gate.ts'

interface Inputs {
  /** Waits until the test opens the gate of this name. */
  gate?: string
}

export default {
  name: 'general',
  role: 'General',
  goal: 'Say where it runs, after waiting if it is told to',
  run: async (inputs: Inputs, { jobId, signal }: { jobId: string; signal: AbortSignal }) => {
    count(jobId, 'begin')
    try {
      if (inputs.gate !== undefined) await gate(inputs.gate, signal)
    } catch (error) {
      count(jobId, 'aborted')
      throw error
    }
    return { pid: process.pid }
  },
}
