import { count, gate } from './_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

export default {
  name: 'caller',
  role: 'Caller',
  goal: 'Call other agents from plain code',
  run: async ({ agents, wait = false }: { agents: string[]; wait?: boolean }, { jobId, callAgent }: Context) => {
    const answers: unknown[] = []
    for (const agent of agents) answers.push(await callAgent(agent, { text: `for ${agent}`, query: 'q' }))
    count(jobId, 'called')
    if (wait) await gate(jobId)
    return { answers }
  },
}
