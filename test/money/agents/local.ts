export default { name: 'local', role: 'Local', goal: 'Ask a model without a price', model: 'ollama/llama3' }
