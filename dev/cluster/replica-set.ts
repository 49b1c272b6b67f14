import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { findBinary } from '../binaries/find-binary.ts'
import { ManagedProcess, type ProcessSpec } from '../managed-process.ts'
import { freePort } from '../ports.ts'
import type { Say } from '../say.ts'
import { plainEnvironment } from '../servers/server-options.ts'
import { combined, type Certificates } from './certificates.ts'

/** Its name, as in `?replicaSet=`. */
export const REPLICA_SET = 'troupe'
const ALREADY_INITIALIZED = 23
const PRIMARY_WITHIN_MS = 60_000

/** A node of the replica set. */
export interface ReplicaSetNode {
  port: number
  managed: ManagedProcess
}

/** Three mongods, of which any one may die. */
export interface ReplicaSet {
  uri: string
  nodes: ReplicaSetNode[]
  /** The node that takes writes now. @throws Error when none does within a minute. */
  primary: () => Promise<ReplicaSetNode>
  stop: () => Promise<void>
}

export interface ReplicaSetOptions {
  dataDir: string
  logDir: string
  say: Say
  /** With them the nodes speak TLS only. */
  certificates?: Certificates | undefined
}

/** Starts three nodes on free ports, each with a folder of its own, and makes them a replica set. */
export async function startReplicaSet({ dataDir, logDir, say, certificates }: ReplicaSetOptions): Promise<ReplicaSet> {
  const binary = await findBinary('mongod', { environment: process.env, say })
  const tls: MongoClientOptions = certificates === undefined ? {} : { tls: true, tlsCAFile: certificates.authority }
  const nodes: ReplicaSetNode[] = []
  const stop = async () => void (await Promise.all(nodes.map(({ managed }) => managed.stop())))
  try {
    for (const name of ['mongod-1', 'mongod-2', 'mongod-3']) {
      const port = await freePort()
      const path = join(dataDir, name)
      mkdirSync(path, { recursive: true })
      const managed = new ManagedProcess(nodeSpec({ name, binary, port, path, logDir, tls, certificates }))
      nodes.push({ port, managed })
      await managed.start()
    }
    const members = nodes.map(({ port }, index) => ({ _id: index, host: `127.0.0.1:${port}` }))
    await on(nodes[0]!.port, tls, async (client) => {
      await client
        .db('admin')
        .command({
          replSetInitiate: {
            _id: REPLICA_SET,
            members,
            settings: { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 },
          },
        })
        .catch((error: { code?: unknown }) => {
          if (error.code !== ALREADY_INITIALIZED) throw error
        })
    })
    const primary = () => findPrimary(nodes, tls)
    await primary()
    const hosts = members.map(({ host }) => host).join(',')
    const options =
      certificates === undefined ? '' : `&tls=true&tlsCAFile=${encodeURIComponent(certificates.authority)}`
    return { uri: `mongodb://${hosts}/?replicaSet=${REPLICA_SET}${options}`, nodes, primary, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface NodeOptions {
  name: string
  binary: string
  port: number
  path: string
  logDir: string
  tls: MongoClientOptions
  certificates: Certificates | undefined
}

function nodeSpec({ name, binary, port, path, logDir, tls, certificates }: NodeOptions): ProcessSpec {
  const server = certificates && combined(certificates.server)
  return {
    name,
    command: binary,
    arguments: [
      ...['--dbpath', path, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
      ...['--replSet', REPLICA_SET, '--oplogSize', '512', '--wiredTigerCacheSizeGB', '0.25', '--quiet'],
      ...[
        '--setParameter',
        'diagnosticDataCollectionEnabled=false',
        '--setParameter',
        'transactionLifetimeLimitSeconds=5',
      ],
      ...(server && certificates
        ? [
            ...['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', certificates.authority],
            '--tlsAllowConnectionsWithoutCertificates',
          ]
        : []),
    ],
    environment: plainEnvironment(),
    logFile: join(logDir, `${name}.log`),
    answers: async () => void (await on(port, tls, (client) => client.db('admin').command({ ping: 1 }))),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 30_000,
  }
}

async function findPrimary(nodes: ReplicaSetNode[], tls: MongoClientOptions): Promise<ReplicaSetNode> {
  const deadline = Date.now() + PRIMARY_WITHIN_MS
  while (Date.now() < deadline) {
    for (const node of nodes.filter(({ managed }) => managed.pid !== undefined)) {
      const isPrimary = await on(node.port, tls, async (client) => {
        const hello = await client.db('admin').command({ hello: 1 })
        return hello.isWritablePrimary === true
      }).catch(() => false)
      if (isPrimary) return node
    }
    await delay(100)
  }
  throw new Error(`The replica set has had no primary for ${PRIMARY_WITHIN_MS / 1_000} s.`)
}

async function on<Result>(
  port: number,
  tls: MongoClientOptions,
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    ...tls,
  })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
