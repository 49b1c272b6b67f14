import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { ManagedProcess, type ProcessSpec } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { saySilently } from '../../dev/say.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

const REPLICA_SET = 'troupe'
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

/** Starts three nodes on free ports, each with a folder of its own in `dataDir`, and makes them a replica set. */
export async function startReplicaSet(dataDir: string): Promise<ReplicaSet> {
  const binary = await findBinary('mongod', { environment: process.env, say: saySilently })
  const nodes: ReplicaSetNode[] = []
  const stop = async () => void (await Promise.all(nodes.map(({ managed }) => managed.stop())))
  try {
    for (const name of ['mongod-1', 'mongod-2', 'mongod-3']) {
      const port = await freePort()
      const path = join(dataDir, name)
      mkdirSync(path, { recursive: true })
      const managed = new ManagedProcess(nodeSpec({ name, binary, port, path, logFile: join(dataDir, `${name}.log`) }))
      nodes.push({ port, managed })
      await managed.start()
    }
    const members = nodes.map(({ port }, index) => ({ _id: index, host: `127.0.0.1:${port}` }))
    await on(nodes[0]!.port, async (client) => {
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
    const primary = () => findPrimary(nodes)
    await primary()
    const hosts = members.map(({ host }) => host).join(',')
    return { uri: `mongodb://${hosts}/?replicaSet=${REPLICA_SET}`, nodes, primary, stop }
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
  logFile: string
}

function nodeSpec({ name, binary, port, path, logFile }: NodeOptions): ProcessSpec {
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
    ],
    environment: plainEnvironment(),
    logFile,
    answers: async () => void (await on(port, (client) => client.db('admin').command({ ping: 1 }))),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 30_000,
  }
}

async function findPrimary(nodes: ReplicaSetNode[]): Promise<ReplicaSetNode> {
  const deadline = Date.now() + PRIMARY_WITHIN_MS
  while (Date.now() < deadline) {
    for (const node of nodes.filter(({ managed }) => managed.pid !== undefined)) {
      const isPrimary = await on(node.port, async (client) => {
        const hello = await client.db('admin').command({ hello: 1 })
        return hello.isWritablePrimary === true
      }).catch(() => false)
      if (isPrimary) return node
    }
    await delay(100)
  }
  throw new Error(`The replica set has had no primary for ${PRIMARY_WITHIN_MS / 1_000} s.`)
}

async function on<Result>(port: number, work: (client: MongoClient) => Promise<Result>): Promise<Result> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
