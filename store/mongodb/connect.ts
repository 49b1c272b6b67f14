import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, ReadConcern, type Collection, type Db } from 'mongodb'
import { readsById, type ReadById } from './by-id.ts'
import type {
  AccountDocument,
  AgentDocument,
  BatchDocument,
  CacheDocument,
  CounterDocument,
  ExecutionDocument,
  IdempotencyDocument,
  OpenDocument,
  PartialDocument,
  RangeDocument,
  StepDocument,
  TraceDocument,
  WatchDocument,
  WorkerDocument,
} from '../documents.ts'

/** One MongoDB connection pool with the collections of a database. */
export interface Store {
  client: MongoClient
  db: Db
  executions: Collection<ExecutionDocument>
  open: Collection<OpenDocument>
  traces: Collection<TraceDocument>
  steps: Collection<StepDocument>
  batches: Collection<BatchDocument>
  agents: Collection<AgentDocument>
  workers: Collection<WorkerDocument>
  accounts: Collection<AccountDocument>
  counters: Collection<CounterDocument>
  cache: Collection<CacheDocument>
  idempotency: Collection<IdempotencyDocument>
  partials: Collection<PartialDocument>
  ranges: Collection<RangeDocument>
  watches: Collection<WatchDocument>
  /** Readers of single documents that many callers request. */
  byId: {
    execution: ReadById<ExecutionDocument>
    /** Reads only an execution's status, because its inputs may be large. */
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
  /** Read concern outside transactions; default: the server's own, which is local. */
  readConcern?: 'local' | 'majority'
  /**
   * How long a server may stay silent, in addition to the ten seconds between its heartbeats, before it counts as away;
   * default: the driver's 30 s.
   */
  connectTimeoutMs?: number
}

/**
 * Opens a store without waiting for the server, so a process may start before its database. While MongoDB is away, each
 * operation fails with a server-selection error after 5 seconds.
 */
export function connectStore(options: StoreOptions): Store {
  const { uri, database, appName, readConcern, connectTimeoutMs } = options
  const client = new MongoClient(uri, {
    appName,
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: connectTimeoutMs,
    // An acknowledged write is journaled on a majority, so it survives the loss of any single node.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    // The validation would check every character of every string. Only drivers write here, and they write UTF-8.
    enableUtf8Validation: false,
  })
  const closing = new AbortController()
  const connected = connect(client, closing.signal)
  const db = client.db(database, readConcern && { readConcern: new ReadConcern(readConcern) })
  const collections = {
    executions: db.collection<ExecutionDocument>('executions'),
    open: db.collection<OpenDocument>('open'),
    traces: db.collection<TraceDocument>('traces'),
    steps: db.collection<StepDocument>('steps'),
    batches: db.collection<BatchDocument>('batches'),
    agents: db.collection<AgentDocument>('agents'),
    workers: db.collection<WorkerDocument>('workers'),
    accounts: db.collection<AccountDocument>('accounts'),
    counters: db.collection<CounterDocument>('counters'),
    cache: db.collection<CacheDocument>('cache'),
    idempotency: db.collection<IdempotencyDocument>('idempotency'),
    partials: db.collection<PartialDocument>('partials'),
    ranges: db.collection<RangeDocument>('ranges'),
    watches: db.collection<WatchDocument>('watches'),
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
 * Connects, and retries until the first connection succeeds. After a failed first connection, the driver would close
 * its topology for good, and every later operation would fail. Later interruptions are handled by the driver itself.
 */
async function connect(client: MongoClient, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const connected = await client.connect().catch(() => undefined)
    if (connected !== undefined) return
    await delay(CONNECT_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined)
  }
}
