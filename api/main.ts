import type { AddressInfo } from 'node:net'
import { Client, Connection } from '@temporalio/client'
import pTimeout from 'p-timeout'
import { ConfigError, loadConfig, required, type Config } from '../config.ts'
import { connectStore, type Store } from '../store/mongodb/connect.ts'
import { ensureSchema, isOfEarlierVersion } from '../store/schema.ts'
import { messageOf } from '../core/errors.ts'
import { announce, createLog, type Log } from '../log.ts'
import { createContents } from '../store/objects/contents.ts'
import { createFeed } from '../store/feed/feed.ts'
import { createLedger } from '../store/ledger/ledger.ts'
import { createS3Blobs, s3Options } from '../store/objects/s3.ts'
import { openApiAdmin } from '../observability/api-admin.ts'
import { startTracing } from '../observability/external-tracing.ts'
import { traceStarts } from '../observability/trace-starts.ts'
import { countCommit } from '../observability/work-metrics.ts'
import { temporalCredentials } from '../temporal.ts'
import { createApp } from './app.ts'
import { createContainers } from './containers/containers.ts'
import { createApiKeys, type ApiKeys } from './http/api-keys.ts'
import { createBodyRoom } from './http/body-room.ts'
import { createHttpServer } from './http/http-server.ts'
import { createRuns } from './runs/runs.ts'
import { stopOnSignal } from './http/shutdown.ts'
import { attachStreams } from './streams/upgrade.ts'

/** How long MongoDB may be unavailable before a cancel fails. */
const LEDGER_TIMEOUT_MS = 8_000
/**
 * A server that hangs keeps its connections; only missing heartbeats reveal it. With this timeout, a submission fails
 * within about 15 seconds, like a read; with the driver's default of 30 s it took 45 s and more.
 */
const MONGODB_CONNECT_TIMEOUT_MS = 5_000
/**
 * Length of the queue of connections that the process has not accepted yet; the kernel may allow fewer. Clients retry a connection
 * that does not fit after 1, 3 and 7 seconds, so with Node's default of 511 a burst delayed health checks by seconds.
 */
const LISTEN_BACKLOG = 4_096
/** If the database does not respond in this time, the API starts without it and reports it as unreachable. */
const SHAPE_WAIT_MS = 1_000
/** How many bodies of the maximum size are read at a time; each may need ten times its size in memory until it is stored. */
const LARGEST_BODIES = 4

/** Composition root of an API process: creates the parts, listens, and closes everything in reverse order. */
async function main(config: Config): Promise<void> {
  const log = createLog('api', config.LOG_LEVEL)
  // A bug in the handling of one client must not end the streams and requests of all others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection; the API continues'))
  const keys = createApiKeys(config)
  reloadOnSignal(keys, log)
  const traces = await startTracing(config, 'api', log)
  const store = connectStore({
    uri: required(config, 'MONGODB_URI'),
    database: config.MONGODB_DATABASE,
    appName: 'troupe-api',
    // A failover must not undo an end that clients have already seen.
    readConcern: 'majority',
    connectTimeoutMs: MONGODB_CONNECT_TIMEOUT_MS,
  })
  const blobs = createS3Blobs(s3Options(config))
  const contents = createContents({ blobs, limitBytes: config.RESPONSE_OFFLOAD_BYTES })
  const tracing = config.TRACING !== 'disabled'
  const ledger = createLedger({ store, log, tracing, timeoutMs: LEDGER_TIMEOUT_MS, onCommit: countCommit })
  const feed = createFeed({ store, log })
  // Lazy, so that the API starts and serves reads before Temporal is reachable.
  const address = required(config, 'TEMPORAL_ADDRESS')
  const connection = Connection.lazy({ address, ...(await temporalCredentials(config)) })
  const namespace = config.TEMPORAL_NAMESPACE
  const temporal = new Client({ connection, namespace, interceptors: { workflow: [traceStarts()] } })
  const queue = config.MONGODB_DATABASE
  const runs = createRuns({ store, contents, feed, log, temporal, ledger, queue, maxBacklog: config.MAX_BACKLOG })
  const containers = createContainers({ dockerHost: config.DOCKER_HOST, log })
  const [closing, waitsEnd] = [new AbortController(), new AbortController()]
  const signals = { closing: closing.signal, waitsEnd: waitsEnd.signal }

  const bodyRoom = createBodyRoom(LARGEST_BODIES * config.MAX_BODY_BYTES)
  const deps = { config, log, store, blobs, contents, feed, runs, containers, keys, bodyRoom, ...signals }
  const server = createHttpServer(createApp(deps).callback(), { log, maxConnections: config.MAX_CONNECTIONS })
  const streams = attachStreams(server, deps)
  const closeAdmin = await openApiAdmin({ config, log, store, temporal, queue, closing: closing.signal })
  await shapeDatabase(store, log)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: config.PORT, host: config.HOST, backlog: LISTEN_BACKLOG }, resolve)
  })
  announce(log, { host: config.HOST, port: (server.address() as AddressInfo).port }, 'api listening')

  await stopOnSignal(server, log, { closing, waitsEnd })
  await streams.close()
  await feed.close()
  await ledger.drain()
  await connection.close()
  await store.close()
  blobs.close()
  await closeAdmin()
  await traces.close()
  log.info('api stopped')
}

/**
 * Starts to migrate the database to this version and waits for the adoption of an earlier version's data. Does not wait
 * for an unreachable database; workers migrate it later.
 */
async function shapeDatabase(store: Store, log: Log): Promise<void> {
  const shaped = ensureSchema(store).catch((error: unknown) => log.warn({ err: error }, 'cannot check the indexes'))
  const asked = isOfEarlierVersion(store).catch(() => false)
  if (!(await pTimeout(asked, { milliseconds: SHAPE_WAIT_MS, fallback: () => false }))) return
  log.info('migrating data of an earlier version; takes a minute for millions of executions')
  await shaped
}

/** Reloads the file of keys on a signal, so that operators can change keys without a restart. */
function reloadOnSignal(keys: ApiKeys, log: Log): void {
  process.on('SIGHUP', () => {
    try {
      keys.reload()
      log.info('reloaded the file of keys')
    } catch (error) {
      log.error({ error: messageOf(error) }, 'cannot read the file of keys; the keys stay unchanged')
    }
  })
}

try {
  await main(loadConfig())
} catch (error) {
  const known = error instanceof ConfigError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  if (!known) throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
