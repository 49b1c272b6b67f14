import type { Db, IndexDescription } from 'mongodb'
import { codeOf } from '../core/errors.ts'
import { adoptEarlier, noteUpgrade } from './adopt.ts'
import type { Store } from './mongodb/connect.ts'

const DAY_SECONDS = 86_400
/** Longer than any response takes. */
const PARTIAL_SECONDS = 3_600
const NAMESPACE_EXISTS = 48
const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27
/** An index with this name or these keys exists with another definition. */
const INDEX_CONFLICTS = new Set<unknown>([85, 86])

type Index = IndexDescription & { name: string }

/** Names of indexes of executions in earlier versions. */
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

/** The indexes of each collection. An index with the same keys and options under another name is kept. */
const INDEXES: Record<string, Index[]> = {
  // No key or filter here has a field that a successful run changes. MongoDB recomputes all indexes of a document when
  // one of them is affected, and this would happen for every step of every run. Open executions are found in `open`.
  executions: [
    { name: 'newest', key: { created_at: -1, _id: -1 } },
    // Two indexes serve every combination of kind and agent in the order of time. For a field without a filter, the
    // query lists all of its values, and MongoDB merges the branches.
    { name: 'by_kind', key: { kind: 1, created_at: -1, _id: -1 } },
    { name: 'by_agent', key: { prompt_name: 1, kind: 1, created_at: -1, _id: -1 } },
    {
      name: 'of_batch',
      key: { batch_id: 1, batch_index: 1, _id: 1 },
      partialFilterExpression: { batch_id: { $exists: true } },
    },
    // Failed and canceled executions are rare, so the oldest is found as fast as the newest.
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
    // The jobs with the latest events. The index covers the query and has one entry for each commit of a job.
    { name: 'last', key: { last: 1, _id: -1, job_id: 1 }, partialFilterExpression: { last: true } },
  ],
  batches: [
    { name: 'newest', key: { created_at: -1, _id: -1 } },
    { name: 'unfinished', key: { created_at: 1 }, partialFilterExpression: { completed_at: null } },
  ],
  // Accounts expire when no longer called.
  accounts: [{ name: 'unused', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
  agents: [{ name: 'by_name', key: { name: 1 } }],
  agent_hours: [{ name: 'over', key: { at: 1 }, expireAfterSeconds: 2 * DAY_SECONDS }],
  cache: [
    { name: 'expired', key: { expires_at: 1 }, expireAfterSeconds: 0 },
    { name: 'by_agent', key: { agent: 1 } },
  ],
  partials: [
    // Removes pieces of workers that died. Pieces of ended calls are deleted at once.
    { name: 'left', key: { at: 1 }, expireAfterSeconds: PARTIAL_SECONDS },
    { name: 'by_batch', key: { batch_id: 1, _id: 1 }, partialFilterExpression: { batch_id: { $exists: true } } },
  ],
  // Removes ranges of dead workers that no other worker has acquired.
  ranges: [{ name: 'left', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
  watches: [{ name: 'over', key: { until: 1 }, expireAfterSeconds: 60 }],
  idempotency: [{ name: 'expired', key: { created_at: 1 }, expireAfterSeconds: DAY_SECONDS }],
  series: [{ name: 'at_1', key: { at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS }],
  tickets: [{ name: 'expires_at_1', key: { expires_at: 1 }, expireAfterSeconds: 0 }],
}

/**
 * Brings a database to the schema of this version. Every process may call it at its start, even while processes of
 * other versions run. An index with a changed definition is rebuilt online.
 */
export async function ensureSchema(store: Store): Promise<void> {
  const { db } = store
  const { executions: ofExecutions = [], ...ofOthers } = INDEXES
  await Promise.all([
    migrateExecutions(store, ofExecutions),
    ...Object.entries(ofOthers).map(([collection, indexes]) => ensureIndexes(db, collection, indexes)),
    ...['steps', 'workers', 'budgets'].map((name) => db.createCollection(name).catch(ignore(NAMESPACE_EXISTS))),
    store.counters.updateOne({ _id: 'ledger' }, { $setOnInsert: { last_trace_id: 0 } }, { upsert: true }),
    // Removes rows of an earlier version, which had one row per agent for all pools. Workers register their agents
    // again.
    store.agents.deleteMany({ name: { $exists: false } }),
  ])
}

/** Whether data of an earlier version still has to be converted. Until then, lists may omit running executions. */
export async function isOfEarlierVersion(store: Store): Promise<boolean> {
  return (await retiredIndexes(store)).length > 0
}

async function retiredIndexes({ db }: Store): Promise<string[]> {
  const names = (await indexesOf(db, 'executions')).map(({ name = '' }) => name)
  return names.filter((name) => RETIRED.includes(name))
}

/** Converts executions of earlier versions, which found open executions by indexes of the executions. */
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

/** Builds an index; one with another definition under the same name is dropped first. */
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
