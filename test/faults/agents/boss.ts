import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

export default {
  name: 'boss',
  role: 'Boss',
  goal: 'Call another agent from plain code and wait for it',
  run: async ({ agent, inputs }: { agent: string; inputs: unknown }, { jobId, callAgent }: Context) => {
    count(jobId, 'calling')
    return { answer: await callAgent(agent, inputs) }
  },
}
