import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { codeOf } from '../../core/errors.ts'
import type { ProcessSpec } from '../managed-process.ts'
import { plainEnvironment, type ServerOptions } from './server-options.ts'

const REPLICA_SET = 'troupe'
const TRANSACTION_LIMIT_SECONDS = 5
const NOT_YET_INITIALIZED = 94
const INVALID_REPLICA_SET_CONFIG = 93

/** The connection string of the embedded mongod. */
export function mongodUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`
}

/** mongod as a replica set of one node: transactions and change streams need a replica set. */
export function mongodSpec({ binary, port, dataDir, logDir }: ServerOptions): ProcessSpec {
  const path = join(dataDir, 'mongod')
  mkdirSync(path, { recursive: true })
  const settings = {
    // Otherwise a primary waits up to 15 s for a successor before it stops.
    shutdownTimeoutMillisForSignaledShutdown: '100',
    // Releases the locks of a killed process after seconds; transactions of the service take milliseconds.
    transactionLifetimeLimitSeconds: String(TRANSACTION_LIMIT_SECONDS),
    // Disables diagnostic data, which is not used here.
    diagnosticDataCollectionEnabled: 'false',
  }
  return {
    name: 'mongod',
    command: binary,
    arguments: [
      ...['--dbpath', path, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
      // By default, the cache takes half of the memory and the oplog a twentieth of the disk.
      ...['--replSet', REPLICA_SET, '--oplogSize', '1024', '--wiredTigerCacheSizeGB', '0.5', '--quiet'],
      ...Object.entries(settings).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
    ],
    environment: plainEnvironment(),
    logFile: join(logDir, 'mongod.log'),
    answers: () => becomePrimary(port),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
  }
}

/**
 * Makes the node on this port the primary of its replica set. Its data may be new, or configured for
 * the port of an earlier run.
 * @throws Error while the node is not primary yet.
 */
async function becomePrimary(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  })
  try {
    const admin = client.db('admin')
    const host = `127.0.0.1:${port}`
    const members = [{ _id: 0, host }]
    const problem = await admin.command({ replSetGetStatus: 1 }).then(() => undefined, codeOf)
    if (problem === NOT_YET_INITIALIZED) {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } })
    } else if (problem === INVALID_REPLICA_SET_CONFIG) {
      const { config } = await admin.command({ replSetGetConfig: 1 })
      await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true })
    }
    const hello = await admin.command({ hello: 1 })
    if (hello.isWritablePrimary !== true || hello.me !== host) throw new Error('mongod is not the primary yet.')
  } finally {
    await client.close()
  }
}
