import { count, gate } from '../../support/agents/_gate.ts'

export default {
  name: 'tool-patient',
  role: 'Patient with a tool',
  goal: 'Call a tool that ends when the gate opens that is named after the job',
  model: 'scripted',
  tools: [
    {
      name: 'wait',
      description: 'Waits for the gate.',
      parameters: { type: 'object', properties: {} },
      execute: async (_: unknown, { jobId, signal }: { jobId: string; signal: AbortSignal }) => {
        count(jobId, 'begin')
        await gate(jobId, signal)
        return 'open'
      },
    },
  ],
  script: ({ step }: { step: number }) =>
    step === 0 ? { toolCalls: [{ name: 'wait', arguments: {} }] } : { text: 'at last' },
}
