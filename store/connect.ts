import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type Collection, type Db } from 'mongodb'
import { readsById, type ReadById } from './by-id.ts'
import { ensureListIndexes } from './list-indexes.ts'
import type { AgentDocument, BatchDocument, ExecutionDocument, StepDocument, TraceDocument } from './documents.ts'

/** A larger answer is not kept for reuse: the cache is for what is asked often, not for what is large. */
export const MAX_CACHED_CHARACTERS = 2_097_152

/** Model and tool answers kept for reuse. */
export interface CacheDocument {
  _id: string
  answer: string
  at: Date
  expires_at: Date | null
}

/** A submission made under an Idempotency-Key: `_id` is a hash of API key, method, path and key. */
export interface IdempotencyDocument {
  _id: string
  body_hash: string
  /** Ids of what the request creates are derived from it, so that a second try creates the same. */
  seed: string
  status: number | null
  response: string | null
  /** Until when the process that answers is believed alive. */
  leased_until: Date
  created_at: Date
}

/** Numbers that are added up while writing: the last trace id and the totals behind /api/metrics. */
export interface CounterDocument {
  _id: string
  last_trace_id?: number
  /** Executions that were ever submitted; spread over several documents. */
  submitted?: number
  completed_jobs?: number
  failed_jobs?: number
  /** Of completed executions, from submission to end. */
  latency_ms_total?: number
  tool_calls?: number
  cache_hits?: number
  total_tokens?: number
  /** By the agent's name as a field name. */
  agents?: Record<string, { trace_count?: number; executions?: number; last_executed?: Date }>
}

/** One MongoDB connection pool with the collections of a database. */
export interface Store {
  client: MongoClient
  db: Db
  executions: Collection<ExecutionDocument>
  traces: Collection<TraceDocument>
  steps: Collection<StepDocument>
  batches: Collection<BatchDocument>
  agents: Collection<AgentDocument>
  counters: Collection<CounterDocument>
  cache: Collection<CacheDocument>
  idempotency: Collection<IdempotencyDocument>
  /** Single documents that many ask for. */
  byId: {
    execution: ReadById<ExecutionDocument>
    /** An execution's status alone: its inputs may be large. */
    status: ReadById<ExecutionDocument, 'status'>
    step: ReadById<StepDocument>
    trace: ReadById<TraceDocument>
  }
  close: () => Promise<void>
}

export interface StoreOptions {
  uri: string
  database: string
  /** Name shown in the server's log and currentOp. */
  appName: string
}

/**
 * Opens a store. Does not wait for the server: a process may start before its database; each operation fails with a
 * server-selection error after 5 seconds while MongoDB is away.
 */
export function connectStore({ uri, database, appName }: StoreOptions): Store {
  const client = new MongoClient(uri, {
    appName,
    serverSelectionTimeoutMS: 5_000,
    // Acknowledged means journaled on a majority: a write that was answered survives the death of any node.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    // It looks at every character of every string that is read; only drivers write here, and they write UTF-8.
    enableUtf8Validation: false,
  })
  const closing = new AbortController()
  const connected = connect(client, closing.signal)
  const db = client.db(database)
  const collections = {
    executions: db.collection<ExecutionDocument>('executions'),
    traces: db.collection<TraceDocument>('traces'),
    steps: db.collection<StepDocument>('steps'),
    batches: db.collection<BatchDocument>('batches'),
    agents: db.collection<AgentDocument>('agents'),
    counters: db.collection<CounterDocument>('counters'),
    cache: db.collection<CacheDocument>('cache'),
    idempotency: db.collection<IdempotencyDocument>('idempotency'),
  }
  const { executions, traces, steps } = collections
  return {
    client,
    db,
    ...collections,
    byId: {
      execution: readsById(executions),
      status: readsById(executions, ['status']),
      step: readsById(steps),
      trace: readsById(traces),
    },
    close: async () => {
      closing.abort()
      await client.close()
      await connected
    },
  }
}

const CONNECT_AGAIN_MS = 500

/**
 * A driver whose first connection fails gives up for good: every later operation finds its topology closed. So the first
 * one is tried until it is there; from then on the driver looks after it.
 */
async function connect(client: MongoClient, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const connected = await client.connect().catch(() => undefined)
    if (connected !== undefined) return
    await delay(CONNECT_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined)
  }
}

const DAY_SECONDS = 86_400

/** Creates the indexes (and with them the collections); safe to call from every process at its start. */
export async function ensureIndexes(store: Store): Promise<void> {
  await Promise.all([
    ensureListIndexes(store),
    store.executions.createIndexes([
      { key: { created_at: -1, _id: -1 } },
      // Indexes of what tasks of batches have no part in leave them out: they are the many.
      { key: { kind: 1, created_at: -1, _id: -1 }, name: 'prompts', partialFilterExpression: { kind: 'prompt' } },
      {
        key: { batch_id: 1, batch_index: 1, _id: 1, status: 1 },
        partialFilterExpression: { batch_id: { $exists: true } },
      },
      { key: { last_trace_id: -1 }, partialFilterExpression: { last_trace_id: { $exists: true } } },
      // What has not come to rest: a small set, read by the reconciler and by workers looking for cancels.
      {
        key: { kind: 1, status: 1, created_at: 1 },
        name: 'unfinished',
        partialFilterExpression: { completed_at: null, kind: { $in: ['prompt', 'job', 'chat'] } },
      },
    ]),
    store.traces.createIndexes([
      { key: { job_id: 1, _id: 1 } },
      { key: { agent_name: 1, _id: -1 } },
      { key: { batch_id: 1, _id: 1 }, partialFilterExpression: { batch_id: { $exists: true } } },
    ]),
    store.batches.createIndexes([
      { key: { created_at: -1, _id: -1 } },
      { key: { created_at: 1 }, name: 'unfinished', partialFilterExpression: { completed_at: null } },
    ]),
    store.cache.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]),
    store.idempotency.createIndexes([{ key: { created_at: 1 }, expireAfterSeconds: DAY_SECONDS }]),
    store.db.createCollection('steps').catch(ignoreExisting),
    store.counters.updateOne({ _id: 'ledger' }, { $setOnInsert: { last_trace_id: 0 } }, { upsert: true }),
    store.db.createCollection('agents').catch(ignoreExisting),
  ])
}

function ignoreExisting(error: unknown): void {
  const namespaceExists = 48
  if ((error as { code?: unknown }).code !== namespaceExists) throw error
}
