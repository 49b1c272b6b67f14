import spender from '../agents/spender.ts'

export default { ...spender, name: 'far-spender', goal: 'Ask a model in a pool of its own' }
