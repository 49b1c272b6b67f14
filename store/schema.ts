import type { Db, IndexDescription } from 'mongodb'
import { codeOf } from '../core/errors.ts'
import type { Store } from './connect.ts'

const DAY_SECONDS = 86_400
/** Longer than an answer takes. */
const PARTIAL_SECONDS = 3_600
const NAMESPACE_EXISTS = 48
const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27
/** An index of this name, or of these keys, exists and is another one. */
const INDEX_CONFLICTS = new Set<unknown>([85, 86])

/** The indexes of each collection. One that exists under another name with the same keys and options is left as it is. */
const INDEXES: Record<string, (IndexDescription & { name: string })[]> = {
  executions: [
    { name: 'newest', key: { created_at: -1, _id: -1 } },
    // Indexes of what tasks of batches have no part in leave them out: they are the many.
    { name: 'prompts', key: { kind: 1, created_at: -1, _id: -1 }, partialFilterExpression: { kind: 'prompt' } },
    {
      name: 'tasks',
      key: { batch_id: 1, batch_index: 1, _id: 1, status: 1 },
      partialFilterExpression: { batch_id: { $exists: true } },
    },
    // What of a batch is left to do: adding a task to one that is done costs the same whatever its size.
    {
      name: 'open_tasks',
      key: { batch_id: 1, 'agents.name': 1, batch_index: 1 },
      partialFilterExpression: { completed_at: null, batch_id: { $exists: true } },
    },
    {
      name: 'detached',
      key: { detached: 1, status: 1 },
      partialFilterExpression: { completed_at: null, detached: true },
    },
    { name: 'latest', key: { last_trace_id: -1 }, partialFilterExpression: { last_trace_id: { $exists: true } } },
    {
      name: 'waiting',
      key: { status: 1, waits_for: 1, kind: 1 },
      partialFilterExpression: { waits_for: { $exists: true } },
    },
    // What has not come to rest: a small set, read by the reconciler.
    {
      name: 'unfinished',
      key: { kind: 1, status: 1, created_at: 1 },
      partialFilterExpression: { completed_at: null, kind: { $in: ['prompt', 'job', 'chat'] } },
    },
    // A still smaller one: tasks of batches, too.
    {
      name: 'stopping',
      key: { created_at: 1 },
      partialFilterExpression: { completed_at: null, status: 'canceled' },
    },
    // Two serve every combination of status, kind and agent in the order of time: a field that a filter leaves out is given
    // with all of its values, and MongoDB merges the branches.
    { name: 'kind_1_status_1_created_at_-1__id_-1', key: { kind: 1, status: 1, created_at: -1, _id: -1 } },
    {
      name: 'prompt_name_1_kind_1_status_1_created_at_-1__id_-1',
      key: { prompt_name: 1, kind: 1, status: 1, created_at: -1, _id: -1 },
    },
    // What is few among the many tasks of batches has indexes that hold nothing else.
    {
      name: 'failed_tasks',
      key: { batch_id: 1, batch_index: 1, _id: 1 },
      partialFilterExpression: { batch_id: { $exists: true }, status: 'failed' },
    },
    {
      name: 'tasks_in_flight',
      key: { batch_id: 1, batch_index: 1, _id: 1 },
      partialFilterExpression: { batch_id: { $exists: true }, status: 'running', started_at: { $exists: true } },
    },
  ],
  traces: [
    { name: 'by_job', key: { job_id: 1, _id: 1 } },
    { name: 'by_agent', key: { agent_name: 1, _id: -1 } },
    { name: 'by_batch', key: { batch_id: 1, _id: 1 }, partialFilterExpression: { batch_id: { $exists: true } } },
  ],
  batches: [
    { name: 'newest', key: { created_at: -1, _id: -1 } },
    { name: 'unfinished', key: { created_at: 1 }, partialFilterExpression: { completed_at: null } },
  ],
  // What nobody calls any more is forgotten.
  accounts: [{ name: 'unused', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
  agents: [{ name: 'by_name', key: { name: 1 } }],
  agent_hours: [{ name: 'over', key: { at: 1 }, expireAfterSeconds: 2 * DAY_SECONDS }],
  cache: [
    { name: 'expired', key: { expires_at: 1 }, expireAfterSeconds: 0 },
    { name: 'by_agent', key: { agent: 1 } },
  ],
  partials: [
    // What a worker that died left behind; what ended properly is deleted at once.
    { name: 'left', key: { at: 1 }, expireAfterSeconds: PARTIAL_SECONDS },
    { name: 'by_batch', key: { batch_id: 1, _id: 1 }, partialFilterExpression: { batch_id: { $exists: true } } },
  ],
  watches: [{ name: 'over', key: { until: 1 }, expireAfterSeconds: 60 }],
  idempotency: [{ name: 'expired', key: { created_at: 1 }, expireAfterSeconds: DAY_SECONDS }],
  series: [{ name: 'at_1', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
  tickets: [{ name: 'expires_at_1', key: { expires_at: 1 }, expireAfterSeconds: 0 }],
}

/**
 * Brings a database to the shape that this version works with; safe to call from every process at its start, also while
 * processes of other versions work on it. An index whose definition has changed is built again online.
 */
export async function ensureSchema(store: Store): Promise<void> {
  const { db } = store
  await Promise.all([
    ...Object.entries(INDEXES).map(([collection, indexes]) => ensureIndexes(db, collection, indexes)),
    ...['steps', 'workers', 'budgets'].map((name) => db.createCollection(name).catch(ignore(NAMESPACE_EXISTS))),
    store.counters.updateOne({ _id: 'ledger' }, { $setOnInsert: { last_trace_id: 0 } }, { upsert: true }),
    // Rows of a version that had one for each agent, whatever its pools; its workers write them again.
    store.agents.deleteMany({ name: { $exists: false } }),
  ])
}

async function ensureIndexes(
  db: Db,
  collection: string,
  wanted: (IndexDescription & { name: string })[],
): Promise<void> {
  const existing = await db
    .collection(collection)
    .indexes()
    .catch((error: unknown) => (codeOf(error) === NAMESPACE_NOT_FOUND ? [] : Promise.reject(error)))
  const keyOf = ({ key, partialFilterExpression, expireAfterSeconds }: IndexDescription): string =>
    JSON.stringify([key, partialFilterExpression ?? null, expireAfterSeconds ?? null])
  const known = new Set(existing.map((index) => keyOf(index as IndexDescription)))
  for (const index of wanted.filter((each) => !known.has(keyOf(each)))) await build(db, collection, index)
}

/** One whose definition has changed under its name makes place for the new one. */
async function build(db: Db, collection: string, index: IndexDescription & { name: string }): Promise<void> {
  try {
    await db.collection(collection).createIndexes([index])
  } catch (error) {
    if (!INDEX_CONFLICTS.has(codeOf(error))) throw error
    await db.collection(collection).dropIndex(index.name).catch(ignore(INDEX_NOT_FOUND))
    await db.collection(collection).createIndexes([index])
  }
}

function ignore(code: number): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error
  }
}
