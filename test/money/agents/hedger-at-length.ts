import hedger from './hedger.ts'

/** Its answers may be as long as its budgets allow. */
export default { ...hedger, name: 'hedger-at-length', settings: {} }
