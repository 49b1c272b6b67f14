export default {
  name: 'instant',
  role: 'Instant',
  goal: 'Give the inputs back at once',
  run: (inputs: unknown) => inputs,
}
