export default {
  name: 'far-racer',
  role: 'Far racer',
  goal: 'End with the first answer of two agents of another pool',
  run: (
    { text }: { text: string },
    { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> },
  ) => Promise.race([callAgent('far-slow', { ms: 600_000 }), callAgent('far-coder', { text })]),
}
