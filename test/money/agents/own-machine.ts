export default {
  name: 'own-machine',
  role: 'Own machine',
  goal: 'Ask a model that costs nothing',
  model: 'vllm/gratis',
}
