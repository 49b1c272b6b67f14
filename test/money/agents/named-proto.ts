export default {
  name: 'named-proto',
  role: 'Buyer',
  goal: 'Ask a model of a strange name',
  model: 'openai-compatible/__proto__',
}
