export default { name: 'claude', role: 'Buyer', goal: 'Ask Anthropic', model: 'anthropic/claude-sonnet-5' }
