export default {
  name: 'surround',
  role: 'Surrounder',
  goal: 'Show which inputs came',
  run: (inputs: unknown) => ({ got: inputs, text: 'surrounded' }),
}
