import slow from '../../support/agents/slow.ts'

export default { ...slow, name: 'far-slow', goal: 'Take a while in a pool of its own' }
