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
  /** Of reads outside transactions; the server's own, which is local, unless given. */
  readConcern?: 'local' | 'majority'
  /** Silence of a server, beyond the ten seconds between its signs of life, after which it counts as away; the driver's 30 s unless given. */
  connectTimeoutMs?: number
}

/**
 * Opens a store. Does not wait for the server: a process may start before its database; each operation fails with a
 * server-selection error after 5 seconds while MongoDB is away.
 */
export function connectStore(options: StoreOptions): Store {
  const { uri, database, appName, readConcern, connectTimeoutMs } = options
  const client = new MongoClient(uri, {
    appName,
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: connectTimeoutMs,
    // Acknowledged means journaled on a majority: a write that was answered survives the death of any node.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    // It looks at every character of every string that is read; only drivers write here, and they write UTF-8.
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
