export default {
  name: 'failing',
  role: 'Failing',
  goal: 'Fail',
  run: ({ message = 'this agent always fails' }: { message?: string }) => {
    throw new Error(message)
  },
}
