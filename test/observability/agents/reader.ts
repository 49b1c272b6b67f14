export default {
  name: 'reader',
  role: 'Reader',
  goal: 'Call another agent from plain code',
  run: async (_inputs: unknown, { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> }) =>
    callAgent('speller', { query: 'spell' }),
}
