export default {
  name: 'far-away',
  role: 'Far away',
  goal: 'Answer from a pool that the other agents are not in',
  run: ({ text = 'far' }: { text?: string }) => ({ text }),
}
