import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findBinary } from '../binaries/find-binary.ts'
import { ManagedProcess, type ProcessSpec } from '../managed-process.ts'
import { freePort } from '../ports.ts'
import { seconds, type Say } from '../say.ts'
import { s3Spec } from '../servers/s3.ts'
import { makeCertificates, type Certificates } from './certificates.ts'
import { findPostgres, findProgram } from './find-program.ts'
import { letPass, postgresSpec } from './postgres.ts'
import { startReplicaSet, type ReplicaSet } from './replica-set.ts'
import { s3WithTls } from './s3-with-tls.ts'
import { setUpSchema, temporalServerSpec } from './temporal-server.ts'

export interface ClusterOptions {
  /** Absolute path of an empty folder. */
  dataDir: string
  say: Say
  /** Every server speaks TLS only, with certificates of an authority of its own; Temporal wants one of its clients, too. */
  tls?: boolean
}

/** What production has: a Temporal server on PostgreSQL, a MongoDB replica set of three nodes, an S3 server. */
export interface Cluster {
  /** What the service needs to reach them. */
  environment: Record<string, string>
  replicaSet: ReplicaSet
  temporal: ManagedProcess
  postgres: ManagedProcess
  certificates: Certificates | undefined
  stop: () => Promise<void>
}

/** Starts all servers on free ports of this machine and waits until they answer. */
export async function startCluster({ dataDir, say, tls = false }: ClusterOptions): Promise<Cluster> {
  const logDir = join(dataDir, 'logs')
  mkdirSync(logDir, { recursive: true })
  letPass(dataDir)
  const certificates = tls ? await makeCertificates(join(dataDir, 'certificates')) : undefined
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const undo of stops.splice(0).toReversed()) await undo()
  }
  const start = async (spec: ProcessSpec) => {
    const startedAt = Date.now()
    const managed = new ManagedProcess(spec)
    await managed.start()
    stops.push(() => managed.stop())
    say(`${spec.name.padEnd(15)} pid ${managed.pid}, ${seconds(startedAt)}`)
    return managed
  }
  try {
    const replicaSet = await startReplicaSet({ dataDir, logDir, say, certificates })
    stops.push(replicaSet.stop)
    say(`mongod          ${replicaSet.nodes.length} nodes`)
    const { postgres, temporal, address } = await startTemporal({ dataDir, logDir, say, certificates }, start)
    const s3 = await s3With({ dataDir, logDir, say, certificates })
    await start(s3.spec)
    const environment = {
      ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', MONGODB_URI: replicaSet.uri },
      ...s3.environment,
      ...(certificates && clientVariables(certificates)),
    }
    return { environment, replicaSet, temporal, postgres, certificates, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface ServerOptions {
  dataDir: string
  logDir: string
  say: Say
  certificates: Certificates | undefined
}

async function startTemporal(
  { dataDir, logDir, say, certificates }: ServerOptions,
  start: (spec: ProcessSpec) => Promise<ManagedProcess>,
) {
  const database = { port: await freePort(), password: randomBytes(16).toString('hex') }
  const postgres = await start(await postgresSpec({ programs: findPostgres(), dataDir, logDir, ...database }))
  const port = await freePort()
  const options = {
    server: await findProgram('temporal-server', say),
    sqlTool: await findProgram('temporal-sql-tool', say),
    ...{ port, postgres: database, dataDir, logDir, namespace: 'default', certificates },
  }
  await setUpSchema(options)
  const temporal = await start(await temporalServerSpec(options))
  return { postgres, temporal, address: `127.0.0.1:${port}` }
}

async function s3With({ dataDir, logDir, say, certificates }: ServerOptions) {
  const port = await freePort()
  const options = {
    binary: await findBinary('s3', { environment: process.env, say }),
    ...{ port, dataDir, logDir, bucket: 'troupe', region: 'us-east-1' },
    ...{ accessKeyId: 'troupe', secretAccessKey: randomBytes(24).toString('hex') },
  }
  return {
    spec: certificates === undefined ? s3Spec(options) : s3WithTls(options, certificates),
    environment: {
      S3_ENDPOINT: `${certificates ? 'https' : 'http'}://127.0.0.1:${port}`,
      ...{ S3_BUCKET: options.bucket, S3_REGION: options.region },
      ...{ AWS_ACCESS_KEY_ID: options.accessKeyId, AWS_SECRET_ACCESS_KEY: options.secretAccessKey },
    },
  }
}

/** What a process of the service is told about the certificates. */
function clientVariables({ authority, client }: Certificates): Record<string, string> {
  return {
    ...{ TEMPORAL_TLS_CA: authority, TEMPORAL_TLS_CERT: client.certificate, TEMPORAL_TLS_KEY: client.key },
    // Of the S3 server: Node reads it itself.
    NODE_EXTRA_CA_CERTS: authority,
  }
}
