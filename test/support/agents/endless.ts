export default {
  name: 'endless',
  role: 'Endless',
  goal: 'Never come to an answer',
  model: 'scripted',
  maxSteps: 3,
  tools: [
    {
      name: 'again',
      description: 'Does nothing.',
      parameters: { type: 'object', properties: {}, required: [] },
      execute: () => null,
    },
  ],
  script: () => ({ toolCalls: [{ name: 'again', arguments: {} }] }),
}
