export default {
  name: 'thrower',
  role: 'Thrower',
  goal: 'Fail',
  run: ({ marker }: { marker: string }) => {
    throw new Error(`thrown for ${marker}`)
  },
}
