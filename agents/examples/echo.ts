// The smallest agent: plain code instead of a model. The return value of `run` is the output.

export default {
  name: 'echo',
  role: 'Echo',
  goal: 'Give back what it was given',
  run: (inputs: unknown) => inputs,
}
