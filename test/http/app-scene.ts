import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import { createContainers } from '../../api/containers/containers.ts'
import type { Dependencies } from '../../api/dependencies.ts'
import { createApiKeys } from '../../api/http/api-keys.ts'
import { createBodyRoom } from '../../api/http/body-room.ts'
import { createHttpServer } from '../../api/http/http-server.ts'
import { createRuns } from '../../api/runs/runs.ts'
import { loadConfig } from '../../config.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import { createContents, type Contents } from '../../store/objects/contents.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { createFeed } from '../../store/feed/feed.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import { createS3Blobs, s3Options } from '../../store/objects/s3.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { request, type Answer } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

/** The HTTP side alone, on the real servers: no worker runs, so what was submitted stays as it is. */
export interface AppScene {
  url: string
  store: Store
  contents: Contents
  /** What was logged, one object a line. */
  logged: Record<string, unknown>[]
  closing: AbortController
  request: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  /** Stores an execution; gives its id. */
  execution: (fields?: Partial<ExecutionDocument>) => Promise<string>
  close: () => Promise<void>
}

/** Name of the agent that every scene knows. */
export const AGENT = 'tester'

/** An execution of the scene has ended where its fields don't say otherwise. */
const ended = () => ({ status: 'completed', outputs: { json: '{}' }, completed_at: new Date() }) as const

export async function startApp(env: Record<string, string> = {}): Promise<AppScene> {
  const config = loadConfig({ ...isolated(sharedStack()), DATA_DIR: '/nowhere', ...env })
  const logged: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, lineSink(logged))
  const store = connectStore({ uri: config.MONGODB_URI ?? '', database: config.MONGODB_DATABASE, appName: 'test' })
  await ensureSchema(store)
  await store.agents.insertOne({
    ...{
      _id: `${AGENT}|nobody`,
      name: AGENT,
      role: 'Tester',
      goal: 'Be tested',
      pool: 'nobody',
      kind: 'code',
      last_seen: new Date(),
    },
    tools: [{ name: 'look', description: 'Looks', parameters: '{"type":"object","properties":{},"required":[]}' }],
  })
  const blobs = createS3Blobs(s3Options(config))
  const contents = createContents({ blobs, limitBytes: config.RESPONSE_OFFLOAD_BYTES })
  const feed = createFeed({ store, log })
  const connection = Connection.lazy({ address: config.TEMPORAL_ADDRESS })
  const temporal = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE })
  const ledger = createLedger({ store, log, tracing: true, timeoutMs: 5_000 })
  const runs = createRuns({
    store,
    contents,
    feed,
    log,
    temporal,
    ledger,
    queue: config.MONGODB_DATABASE,
    maxBacklog: config.MAX_BACKLOG,
  })
  const containers = createContainers({ dockerHost: config.DOCKER_HOST, log })
  const closing = new AbortController()
  const keys = createApiKeys(config)
  const deps: Dependencies = {
    config,
    log,
    store,
    blobs,
    contents,
    feed,
    runs,
    containers,
    keys,
    bodyRoom: createBodyRoom(4 * config.MAX_BODY_BYTES),
    closing: closing.signal,
    waitsEnd: closing.signal,
  }
  const server = createHttpServer(createApp(deps).callback(), { log, maxConnections: 100 }).listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), feed.ready()])
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    store,
    contents,
    logged,
    closing,
    request: (method, path, body, headers) => request(url, method, path, body, headers),
    async execution(fields = {}) {
      const document = buildExecution({ prompt_name: AGENT, ...ended(), ...fields })
      await storeExecutions(store, [document])
      return document._id
    },
    async close() {
      closing.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await feed.close()
      await connection.close()
      await store.db.dropDatabase()
      await store.close()
      blobs.close()
    },
  }
}

function lineSink(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString('utf8')) as Record<string, unknown>)
      done()
    },
  })
}
