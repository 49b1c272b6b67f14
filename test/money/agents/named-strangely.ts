export default { name: 'named-strangely', role: 'Buyer', goal: 'Ask a model of a strange name', model: 'openai/a.b$c' }
