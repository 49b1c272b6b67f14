export default {
  name: 'far-picky',
  role: 'Far picky',
  goal: 'Refuse some of what it is given, in a pool of its own',
  run: ({ text }: { text: string }) => {
    if (text === 'bad') throw new Error('that is bad')
    return { text }
  },
}
