export default {
  name: 'broke',
  role: 'Broke',
  goal: 'Be refused: its model has no price',
  model: 'ollama/llama3',
  budget: { usd: 1 },
}
