import type { Store } from './connect.ts'
import { ensureSeries } from './series.ts'

/**
 * Creates the indexes of the lists that people filter; safe to call from every process at its start.
 *
 * Two serve every combination of status, kind and agent in the order of time: a field that a filter leaves out is given with
 * all of its values, and MongoDB merges the branches. What is few among the many tasks of batches (the failed ones, those in
 * flight) has indexes that hold nothing else.
 */
export async function ensureListIndexes({ executions, db }: Pick<Store, 'executions' | 'db'>): Promise<void> {
  const inBatch = { batch_id: { $exists: true } }
  await Promise.all([
    executions.createIndexes([
      { key: { kind: 1, status: 1, created_at: -1, _id: -1 } },
      { key: { prompt_name: 1, kind: 1, status: 1, created_at: -1, _id: -1 } },
      {
        key: { batch_id: 1, batch_index: 1, _id: 1 },
        name: 'failed_tasks',
        partialFilterExpression: { ...inBatch, status: 'failed' },
      },
      {
        key: { batch_id: 1, batch_index: 1, _id: 1 },
        name: 'tasks_in_flight',
        partialFilterExpression: { ...inBatch, status: 'running', started_at: { $exists: true } },
      },
    ]),
    ensureSeries({ db }),
    db.collection('tickets').createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]),
  ])
}
