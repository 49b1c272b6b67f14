import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dependencies } from '../../api/dependencies.ts'
import { createApiKeys } from '../../api/http/api-keys.ts'
import { attachStreams, type Streams, type StreamsOptions } from '../../api/streams/upgrade.ts'
import { loadConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import type { EventType } from '../../core/execution.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { createFeed, type Feed } from '../../store/feed/feed.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import type { EventDraft, LedgerEntry } from '../../store/ledger/entry.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { Client } from './client.ts'

export interface SceneOptions extends StreamsOptions {
  uri: string
  keys?: string
  /** Further settings of the server. */
  env?: Record<string, string>
  /** Connection string of the server side, where it shall differ from the writer's. */
  serverUri?: string
}

/** The streams on a real HTTP server and a database of their own, and a ledger that writes as a worker does. */
export interface Scene {
  url: string
  store: Store
  feed: Feed
  streams: Streams
  closing: AbortController
  connect: (path: string, headers?: Record<string, string>) => Client
  /** Stores an execution that runs; gives its id. */
  execution: (fields?: Partial<ExecutionDocument>) => Promise<string>
  batch: (taskCount: number) => Promise<{ id: string; tasks: string[] }>
  /** Adds tasks to a batch that exists, as the API does. */
  addTasks: (batchId: string, count: number) => Promise<string[]>
  /** Writes as a worker does: one step of an execution, with these events. */
  write: (jobId: string, entry?: Partial<LedgerEntry>) => Promise<void>
  /** Ends an execution with its last event in the same step. */
  finish: (jobId: string, fields?: Partial<LedgerEntry>) => Promise<void>
  close: () => Promise<void>
}

/** A trace event that a step is to write. */
export function event(type: EventType, payload: object = {}, parent: EventDraft['parent'] = null): EventDraft {
  return { type, agent: 'tester', parent, payload: JSON.stringify(payload), at: new Date() }
}

export async function startScene(options: SceneOptions): Promise<Scene> {
  const { uri, keys = '', env = {}, serverUri = uri, ...streamsOptions } = options
  const database = `streams-${randomUUID().slice(0, 8)}`
  const log = createLog('test', 'silent')
  const store = connectStore({ uri, database, appName: 'test' })
  await ensureSchema(store)
  const serverStore = connectStore({ uri: serverUri, database, appName: 'streams' })
  const feed = createFeed({ store: serverStore, log })
  const closing = new AbortController()
  const config = loadConfig({ DATA_DIR: '/nowhere', SERVICE_API_KEY: keys, ...env })
  const apiKeys = createApiKeys(config)
  const server = createServer((_request, response) => response.end('plain'))
  const dependencies = {
    config,
    keys: apiKeys,
    log,
    store: serverStore,
    feed,
    closing: closing.signal,
  } as Dependencies
  const streams = attachStreams(server, dependencies, streamsOptions)
  server.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), feed.ready()])
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clients: Client[] = []
  return {
    ...writing(store),
    url,
    store,
    feed,
    streams,
    closing,
    connect(path, headers) {
      const client = new Client(url + path, headers)
      clients.push(client)
      return client
    },
    async close() {
      for (const client of clients) client.leave()
      await streams.close()
      await new Promise((resolve) => server.close(resolve))
      await feed.close()
      await store.db.dropDatabase()
      await Promise.all([store.close(), serverStore.close()])
    },
  }
}

type Writing = Pick<Scene, 'execution' | 'batch' | 'addTasks' | 'write' | 'finish'>

function writing(store: Store): Writing {
  const ledger = createLedger({ store, log: createLog('test', 'silent'), tracing: true, timeoutMs: Infinity })
  const batchOf = new Map<string, string>()
  let steps = 0
  const scene: Writing = {
    async execution(fields = {}) {
      const document = buildExecution({ prompt_name: 'tester', ...fields })
      await storeExecutions(store, [document])
      if (document.batch_id !== undefined) batchOf.set(document._id, document.batch_id)
      return document._id
    },
    async batch(taskCount) {
      const batch: BatchDocument = {
        ...{ _id: randomUUID(), agent_name: 'tester', status: 'submitted', task_count: 0, succeeded: 0, failed: 0 },
        ...{ created_at: new Date(), completed_at: null },
      }
      await store.batches.insertOne(batch)
      return { id: batch._id, tasks: await scene.addTasks(batch._id, taskCount) }
    },
    async addTasks(batchId, count) {
      const fields = (batch_index: number) => ({ kind: 'task', batch_id: batchId, batch_index }) as const
      const tasks = await Promise.all(Array.from({ length: count }, (_, index) => scene.execution(fields(index))))
      await store.batches.updateOne(
        { _id: batchId },
        { $inc: { task_count: count }, $set: { status: 'running', completed_at: null } },
      )
      return tasks
    },
    async write(jobId, entry = {}) {
      steps += 1
      await ledger.append({ jobId, batchId: batchOf.get(jobId), path: String(steps), events: [], ...entry })
    },
    finish: (jobId, fields = {}) =>
      scene.write(jobId, {
        events: [event('task_complete', { status: 'completed', result: { answer: 42 }, duration_ms: 5 })],
        finish: {
          ...{ status: 'completed', outputs: { json: '{"answer":42}' }, error: null, latencyMs: 5 },
          at: new Date(),
        },
        ...fields,
      }),
  }
  return scene
}
