export default {
  name: 'far-boss',
  role: 'Far boss',
  goal: 'Call an agent of the pool that it was called from',
  run: async (
    { agent, inputs }: { agent: string; inputs: unknown },
    { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> },
  ) => ({ answer: await callAgent(agent, inputs) }),
}
