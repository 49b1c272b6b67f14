export default { name: 'frugal', role: 'Frugal', goal: 'Ask once', model: 'openai/gpt-5-mini', cache: true }
