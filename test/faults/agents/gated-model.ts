import { gate } from '../../support/agents/_gate.ts'

export default {
  name: 'gated-model',
  role: 'Gated model',
  goal: 'Answer in one step, where a gate is named when it opens',
  model: 'scripted',
  script: async ({ inputs }: { inputs: { gate?: string } }) => {
    if (inputs.gate !== undefined) await gate(inputs.gate)
    return { text: 'through' }
  },
}
