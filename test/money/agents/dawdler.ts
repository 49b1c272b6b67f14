export default {
  name: 'dawdler',
  role: 'Dawdler',
  goal: 'Call a tool that takes for ever',
  model: 'scripted',
  script: () => ({ toolCalls: [{ name: 'dawdle', arguments: {} }] }),
  tools: [{ name: 'dawdle', description: 'Takes for ever.', execute: () => new Promise(() => undefined) }],
}
