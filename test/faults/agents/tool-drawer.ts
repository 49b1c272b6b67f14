import { draw, type Draw } from './_draw.ts'

interface Inputs {
  bytes: number
}

export default {
  name: 'tool-drawer',
  role: 'Drawer with a tool',
  goal: 'Call a tool that gives another large result each time and ignores its signal, and repeat its value',
  model: 'scripted',
  tools: [
    {
      name: 'draw',
      description: 'Draws a value.',
      parameters: { type: 'object', properties: { bytes: { type: 'number' } } },
      execute: ({ bytes }: Inputs, { jobId }: { jobId: string }) => draw(jobId, bytes),
    },
  ],
  script: ({ step, inputs, results }: { step: number; inputs: Inputs; results: { result: Draw }[] }) =>
    step === 0 ? { toolCalls: [{ name: 'draw', arguments: inputs }] } : { text: String(results[0]?.result.v) },
}
