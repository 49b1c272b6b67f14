/** The content of a worker's bundle. The export names are the workflow types that operators see. */
export { batch } from './batch.ts'
export { prompt } from './prompt.ts'
export { reconcile } from './reconcile.ts'
