import spender from './spender.ts'

export default { ...spender, name: 'saver', budget: { modelCalls: 2, onExceeded: 'answer' } }
