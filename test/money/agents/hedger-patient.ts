import hedger from './hedger.ts'

export default { ...hedger, name: 'hedger-patient', hedge: { afterMs: 60_000 } }
