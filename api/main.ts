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

/** How long MongoDB may be away before a cancel is refused. */
const LEDGER_TIMEOUT_MS = 8_000
/**
 * A server that hangs keeps its connections: only its missing signs of life tell. With this, a client that submits is told
 * within about 15 seconds, like one that reads; the driver's own 30 s made it 45 and more.
 */
const MONGODB_CONNECT_TIMEOUT_MS = 5_000
/**
 * Connections that wait until the process comes to accept them; the kernel may allow fewer. One that finds no place is tried again by
 * its client's kernel after 1, 3, 7 seconds, so that a burst (Node's own bound is 511) made health answer seconds late.
 */
const LISTEN_BACKLOG = 4_096
/** A database that does not answer by then may be away: the API serves what it can, and says so. */
const SHAPE_WAIT_MS = 1_000
/** Bodies of the largest size that are taken at a time: each may need ten times its size until it is stored. */
const LARGEST_BODIES = 4

/** Composition root of an API process: builds the parts, listens, and takes everything down in reverse order. */
async function main(config: Config): Promise<void> {
  const log = createLog('api', config.LOG_LEVEL)
  // A mistake in what serves one client must not end the streams and requests of all others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection; the API goes on'))
  const keys = createApiKeys(config)
  reloadOnSignal(keys, log)
  const traces = await startTracing(config, 'api', log)
  const store = connectStore({
    uri: required(config, 'MONGODB_URI'),
    database: config.MONGODB_DATABASE,
    appName: 'troupe-api',
    // What was shown as ended may not be undone by a failover.
    readConcern: 'majority',
    connectTimeoutMs: MONGODB_CONNECT_TIMEOUT_MS,
  })
  const blobs = createS3Blobs(s3Options(config))
  const contents = createContents({ blobs, limitBytes: config.RESPONSE_OFFLOAD_BYTES })
  const tracing = config.TRACING !== 'disabled'
  const ledger = createLedger({ store, log, tracing, timeoutMs: LEDGER_TIMEOUT_MS, onCommit: countCommit })
  const feed = createFeed({ store, log })
  // Lazy: an API that starts before Temporal serves what it can, and says so.
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
 * Begins to bring the database to the shape of this version, and waits for what an earlier one has left. A database that is away
 * is not waited for: workers see to it.
 */
async function shapeDatabase(store: Store, log: Log): Promise<void> {
  const shaped = ensureSchema(store).catch((error: unknown) =>
    log.warn({ err: error }, 'the indexes could not be checked'),
  )
  const asked = isOfEarlierVersion(store).catch(() => false)
  if (!(await pTimeout(asked, { milliseconds: SHAPE_WAIT_MS, fallback: () => false }))) return
  log.info('taking over what an earlier version stored; a minute for millions of executions')
  await shaped
}

/** An operator adds and removes keys without a restart. */
function reloadOnSignal(keys: ApiKeys, log: Log): void {
  process.on('SIGHUP', () => {
    try {
      keys.reload()
      log.info('the file of keys was read again')
    } catch (error) {
      log.error({ error: messageOf(error) }, 'cannot read the file of keys: the keys stay as they were')
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
