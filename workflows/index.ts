/** Everything a worker's bundle contains: the exports' names are the workflow types that operators see. */
export { batch } from './batch.ts'
export { prompt } from './prompt.ts'
export { reconcile } from './reconcile.ts'
