type Inputs = { text: string }

export default {
  name: 'parrot',
  role: 'Parrot',
  goal: 'Give a text to a tool that gives it back',
  model: 'scripted',
  output: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  tools: [
    {
      name: 'repeat',
      description: 'Repeats.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      execute: ({ text }: Inputs) => ({ text }),
    },
  ],
  script: ({ step, inputs }: { step: number; inputs: Inputs }) =>
    step === 0 ? { toolCalls: [{ name: 'repeat', arguments: inputs }] } : { text: JSON.stringify(inputs) },
}
