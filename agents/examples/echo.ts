// The smallest agent: plain code instead of a model. What `run` returns is the answer.

export default {
  name: 'echo',
  role: 'Echo',
  goal: 'Give back what it was given',
  run: (inputs: unknown) => inputs,
}
