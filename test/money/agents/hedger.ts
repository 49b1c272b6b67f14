import spender from './spender.ts'

export default { ...spender, name: 'hedger', hedge: { afterMs: 300 } }
