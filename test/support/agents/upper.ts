export default {
  name: 'upper',
  role: 'Upper',
  goal: 'Answer with a bare string',
  run: (inputs: { text?: string }) => String(inputs.text ?? '').toUpperCase(),
}
