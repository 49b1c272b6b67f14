export default {
  name: 'asked',
  role: 'Asked',
  goal: 'Say what it was asked',
  instructions: 'You are asked.',
  model: 'scripted',
  script: ({ messages }: { messages: unknown[] }) => ({ text: JSON.stringify(messages) }),
}
