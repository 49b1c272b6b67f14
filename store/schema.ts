import type { Db, IndexDescription } from 'mongodb'
import { codeOf } from '../core/errors.ts'
import { adoptEarlier, noteUpgrade } from './adopt.ts'
import type { Store } from './mongodb/connect.ts'

const DAY_SECONDS = 86_400
/** Longer than an answer takes. */
const PARTIAL_SECONDS = 3_600
const NAMESPACE_EXISTS = 48
const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27
/** An index of this name, or of these keys, exists and is another one. */
const INDEX_CONFLICTS = new Set<unknown>([85, 86])

type Index = IndexDescription & { name: string }

/** Names of indexes of executions that earlier versions had. */
const RETIRED = [
  ...[
    'prompts',
    'unfinished',
    'latest',
    'open_tasks',
    'detached',
    'waiting',
    'stopping',
    'failed_tasks',
    'tasks_in_flight',
    'tasks',
    'waits_for',
  ],
  ...['kind_1_status_1_created_at_-1__id_-1', 'prompt_name_1_kind_1_status_1_created_at_-1__id_-1', 'last_trace_id_-1'],
]

const TROUBLED = { trouble: { $exists: true } } as const

/** The indexes of each collection. One that exists under another name with the same keys and options is left as it is. */
const INDEXES: Record<string, Index[]> = {
  // No field that the success of a run changes is in a key or a filter here: MongoDB works out all indexes of a document anew
  // when one of them is touched, and this is done for every step of every run. What is open is found in `open`.
  executions: [
    { name: 'newest', key: { created_at: -1, _id: -1 } },
    // Two serve every combination of kind and agent in the order of time: a field that a filter leaves out is given with all of
    // its values, and MongoDB merges the branches.
    { name: 'by_kind', key: { kind: 1, created_at: -1, _id: -1 } },
    { name: 'by_agent', key: { prompt_name: 1, kind: 1, created_at: -1, _id: -1 } },
    {
      name: 'of_batch',
      key: { batch_id: 1, batch_index: 1, _id: 1 },
      partialFilterExpression: { batch_id: { $exists: true } },
    },
    // What failed or was canceled is few among the many: the oldest is found as fast as the newest.
    { name: 'trouble', key: { trouble: 1, created_at: -1, _id: -1, kind: 1 }, partialFilterExpression: TROUBLED },
    {
      name: 'trouble_by_agent',
      key: { trouble: 1, prompt_name: 1, created_at: -1, _id: -1, kind: 1 },
      partialFilterExpression: TROUBLED,
    },
    {
      name: 'trouble_of_batch',
      key: { batch_id: 1, trouble: 1, batch_index: 1, _id: 1 },
      partialFilterExpression: { ...TROUBLED, batch_id: { $exists: true } },
    },
  ],
  open: [
    { name: 'newest', key: { created_at: -1, _id: -1, kind: 1, prompt_name: 1 } },
    {
      name: 'not_tasks',
      key: { kind: 1, created_at: -1, _id: -1, prompt_name: 1 },
      partialFilterExpression: { kind: { $in: ['prompt', 'job', 'chat'] } },
    },
    {
      name: 'tasks',
      key: { batch_id: 1, batch_index: 1, _id: 1, prompt_name: 1 },
      partialFilterExpression: { batch_id: { $exists: true } },
    },
    { name: 'started', key: { batch_id: 1, batch_index: 1, _id: 1 }, partialFilterExpression: { started: true } },
    { name: 'detached', key: { detached: 1 }, partialFilterExpression: { detached: true } },
    { name: 'stopping', key: { stopping: 1, created_at: 1 }, partialFilterExpression: { stopping: true } },
    { name: 'waiting', key: { waits_for: 1, kind: 1 }, partialFilterExpression: { waits_for: { $exists: true } } },
  ],
  traces: [
    { name: 'by_job', key: { job_id: 1, _id: 1 } },
    { name: 'by_agent', key: { agent_name: 1, _id: -1 } },
    { name: 'by_batch', key: { batch_id: 1, _id: 1 }, partialFilterExpression: { batch_id: { $exists: true } } },
    // The jobs with the latest events: it answers by itself, and has one entry for each time that a job wrote.
    { name: 'last', key: { last: 1, _id: -1, job_id: 1 }, partialFilterExpression: { last: true } },
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
  // What a worker that died held when nobody came for it any more.
  ranges: [{ name: 'left', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
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
  const { executions: ofExecutions = [], ...ofOthers } = INDEXES
  await Promise.all([
    migrateExecutions(store, ofExecutions),
    ...Object.entries(ofOthers).map(([collection, indexes]) => ensureIndexes(db, collection, indexes)),
    ...['steps', 'workers', 'budgets'].map((name) => db.createCollection(name).catch(ignore(NAMESPACE_EXISTS))),
    store.counters.updateOne({ _id: 'ledger' }, { $setOnInsert: { last_trace_id: 0 } }, { upsert: true }),
    // Rows of a version that had one for each agent, whatever its pools; its workers write them again.
    store.agents.deleteMany({ name: { $exists: false } }),
  ])
}

/** Whether an earlier version has left what is still to be taken over: until then lists do not tell all that runs. */
export async function isOfEarlierVersion(store: Store): Promise<boolean> {
  return (await retiredIndexes(store)).length > 0
}

async function retiredIndexes({ db }: Store): Promise<string[]> {
  const names = (await indexesOf(db, 'executions')).map(({ name = '' }) => name)
  return names.filter((name) => RETIRED.includes(name))
}

/** An earlier version found what is open by indexes of the executions themselves. */
async function migrateExecutions(store: Store, wanted: Index[]): Promise<void> {
  await ensureIndexes(store.db, 'executions', wanted)
  const retired = await retiredIndexes(store)
  if (retired.length === 0) return
  await noteUpgrade(store)
  await adoptEarlier(store)
  for (const name of retired) await store.executions.dropIndex(name).catch(ignore(INDEX_NOT_FOUND))
}

function indexesOf(db: Db, collection: string): Promise<IndexDescription[]> {
  return db
    .collection(collection)
    .indexes()
    .catch((error: unknown) => (codeOf(error) === NAMESPACE_NOT_FOUND ? [] : Promise.reject(error)))
}

async function ensureIndexes(db: Db, collection: string, wanted: Index[]): Promise<void> {
  const existing = await indexesOf(db, collection)
  const keyOf = ({ key, partialFilterExpression, expireAfterSeconds }: IndexDescription): string =>
    JSON.stringify([key, partialFilterExpression ?? null, expireAfterSeconds ?? null])
  const known = new Set(existing.map(keyOf))
  for (const index of wanted.filter((each) => !known.has(keyOf(each)))) await build(db, collection, index)
}

/** One whose definition has changed under its name makes place for the new one. */
async function build(db: Db, collection: string, index: Index): Promise<void> {
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
