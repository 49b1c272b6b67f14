/** Calls the agent that it is told to. */
export default {
  name: 'asking',
  role: 'Asking',
  goal: 'Ask another agent',
  run: (
    { agent, inputs }: { agent: string; inputs: unknown },
    { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> },
  ) => callAgent(agent, inputs),
}
