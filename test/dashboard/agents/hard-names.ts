const text = { type: 'string' }

/** Takes fields that are called like what every object inherits, and gives what it got. */
export default {
  name: 'hard-names',
  role: 'Clerk',
  goal: 'Give back what came',
  input: {
    type: 'object',
    properties: { constructor: text, toString: { type: 'integer' }, ['__proto__']: text },
    required: ['constructor'],
  },
  run: (inputs: object) => inputs,
}
