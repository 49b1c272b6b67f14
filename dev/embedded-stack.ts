import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readStackFile } from '../config.ts'
import { findBinary } from './binaries/find-binary.ts'
import type { ServerName } from './binaries/program.ts'
import { ManagedProcess, type ProcessSpec } from './managed-process.ts'
import { freePort, isFree } from './ports.ts'
import { seconds, type Say } from './say.ts'
import { mongodSpec, mongodUri } from './servers/mongod.ts'
import { s3Spec } from './servers/s3.ts'
import type { ServerOptions } from './servers/server-options.ts'
import { temporalSpec } from './servers/temporal.ts'
import { writeStackFile, type StackEnvironment } from './stack-file.ts'
import { supervise, type Supervision } from './supervise.ts'

/** One embedded server. */
export interface EmbeddedServer {
  readonly port: number
  /** Process id while the server runs. */
  readonly pid: number | undefined
  /** Sends SIGKILL; resolves when the process has ended. A supervised stack restarts the server. */
  kill: () => Promise<void>
  /** Restarts the server on the same port and data; resolves when it responds. */
  restart: () => Promise<void>
}

export interface StackOptions {
  /** Absolute path of the folder for data, logs and stack.env. */
  dataDir: string
  /** Environment; servers whose address it contains are used instead of started. */
  given?: NodeJS.ProcessEnv
  say: Say
  /** Whether to restart servers that die. */
  supervised: boolean
  /** Whether Temporal serves its web UI. */
  ui?: boolean
}

export interface Stack {
  /** Addresses and credentials, as in stack.env. */
  environment: StackEnvironment
  /** The started servers, without those from the environment. */
  servers: Partial<Record<ServerName, EmbeddedServer>>
  stop: () => Promise<void>
}

/**
 * Downloads and starts all servers without a given address in parallel, and writes stack.env when they respond. Reuses the ports
 * and the S3 secret of an earlier run on the same folder.
 * @throws Error with a message for users when a server cannot be downloaded or started; stops the started servers then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const plan = planStack(options)
  const running: RunningServer[] = []
  const stop = async () => {
    for (const server of running) server.supervision?.end()
    await Promise.all(running.map((server) => server.managed.stop()))
  }
  const starts = await Promise.allSettled(
    plan.missing.map(async (name) => running.push(await startServer(name, plan, options))),
  )
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  for (const { name, port } of running) Object.assign(plan.environment, addresses(name, port, plan.uiPort))
  writeStackFile(options.dataDir, plan.environment)
  const servers = Object.fromEntries(running.map((server) => [server.name, handle(server)]))
  return { environment: plan.environment, servers, stop }
}

interface StackPlan {
  environment: StackEnvironment & { TEMPORAL_NAMESPACE: string; S3_BUCKET: string; S3_REGION: string }
  missing: ServerName[]
  uiPort: number | undefined
  previous: StackEnvironment
}

interface RunningServer {
  name: ServerName
  port: number
  managed: ManagedProcess
  supervision: Supervision | undefined
}

const ADDRESS: Record<ServerName, string> = { temporal: 'TEMPORAL_ADDRESS', mongod: 'MONGODB_URI', s3: 'S3_ENDPOINT' }

function planStack({ dataDir, given = {} }: StackOptions): StackPlan {
  const previous = readStackFile(dataDir)
  const missing = (Object.keys(ADDRESS) as ServerName[]).filter((name) => !given[ADDRESS[name]])
  const own = missing.includes('s3')
  // Credentials in the environment belong to the object store of the environment; the embedded one has its own.
  const credentials = own
    ? {
        AWS_ACCESS_KEY_ID: previous.AWS_ACCESS_KEY_ID || 'troupe',
        AWS_SECRET_ACCESS_KEY: previous.AWS_SECRET_ACCESS_KEY || randomBytes(24).toString('hex'),
      }
    : pick(given, ['S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
  return {
    environment: {
      TEMPORAL_NAMESPACE: given.TEMPORAL_NAMESPACE || 'default',
      ...pick(given, ['TEMPORAL_ADDRESS', 'MONGODB_URI']),
      S3_BUCKET: given.S3_BUCKET || 'troupe',
      S3_REGION: given.S3_REGION || 'us-east-1',
      ...credentials,
    },
    missing,
    uiPort: undefined,
    previous,
  }
}

async function startServer(name: ServerName, plan: StackPlan, options: StackOptions): Promise<RunningServer> {
  const { dataDir, say, supervised } = options
  const startedAt = Date.now()
  const binary = await findBinary(name, { environment: process.env, say })
  const logDir = join(dataDir, 'logs')
  mkdirSync(logDir, { recursive: true })
  if (name === 'temporal' && options.ui) plan.uiPort = await freePort(portOf(plan.previous.TEMPORAL_UI))
  let port = await freePort(portOf(plan.previous[ADDRESS[name]]))
  for (let tries = 1; ; tries += 1) {
    const managed = new ManagedProcess(specOf(name, { binary, port, dataDir, logDir }, plan))
    try {
      await managed.start()
      say(`${name.padEnd(9)} 127.0.0.1:${port} (pid ${managed.pid}, ${seconds(startedAt)})`)
      return { name, port, managed, supervision: supervised ? supervise(managed, say) : undefined }
    } catch (error) {
      await managed.kill()
      // Another process may have taken the port between the check and the start of the server.
      if (tries === 3 || (await isFree(port))) throw error
      port = await freePort()
    }
  }
}

function specOf(name: ServerName, server: ServerOptions, { environment, uiPort }: StackPlan): ProcessSpec {
  if (name === 'mongod') return mongodSpec(server)
  if (name === 'temporal') return temporalSpec({ ...server, namespace: environment.TEMPORAL_NAMESPACE, uiPort })
  return s3Spec({
    ...server,
    bucket: environment.S3_BUCKET,
    region: environment.S3_REGION,
    accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
  })
}

function addresses(name: ServerName, port: number, uiPort: number | undefined): StackEnvironment {
  if (name === 'mongod') return { MONGODB_URI: mongodUri(port) }
  if (name === 's3') return { S3_ENDPOINT: `http://127.0.0.1:${port}` }
  const ui: StackEnvironment = uiPort === undefined ? {} : { TEMPORAL_UI: `http://127.0.0.1:${uiPort}` }
  return { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, ...ui }
}

function handle({ port, managed }: RunningServer): EmbeddedServer {
  return {
    port,
    get pid() {
      return managed.pid
    },
    kill: () => managed.kill(),
    restart: async () => {
      await managed.stop()
      await managed.start()
    },
  }
}

/** The port of a local address; `undefined` for other addresses. */
function portOf(address: string | undefined): number | undefined {
  const port = address?.match(/(?:^|\/)127\.0\.0\.1:(\d+)/)?.[1]
  return port === undefined ? undefined : Number(port)
}

function pick(given: NodeJS.ProcessEnv, names: string[]): StackEnvironment {
  return Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))
}
