import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { codeOf } from '../../core/errors.ts'
import { runCommand } from '../binaries/run-command.ts'
import type { ProcessSpec } from '../managed-process.ts'
import { freePort } from '../ports.ts'
import { plainEnvironment } from '../servers/server-options.ts'
import type { Certificates } from './certificates.ts'

const RETENTION_SECONDS = 86_400
const GRPC_ALREADY_EXISTS = 6
const SHARDS = 16

export interface TemporalServerOptions {
  server: string
  sqlTool: string
  port: number
  postgres: { port: number; password: string }
  dataDir: string
  logDir: string
  namespace: string
  /** With them the frontend speaks TLS only, and wants a certificate of every client. */
  certificates?: Certificates | undefined
}

/** Creates the databases of a Temporal server and brings their schema to the version of the tool. */
export async function setUpSchema({ sqlTool, postgres }: TemporalServerOptions): Promise<void> {
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['temporal_visibility', 'visibility'],
  ] as const) {
    const tool = (...words: string[]) =>
      runCommand(
        sqlTool,
        [
          ...['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(postgres.port), '-u', 'temporal'],
          ...['--db', database, ...words],
        ],
        { environment: { SQL_PASSWORD: postgres.password } },
      )
    await tool('create-database')
    await tool('setup-schema', '-v', '0.0')
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`)
  }
}

/** A real Temporal server, its four services in one process, on PostgreSQL. */
export async function temporalServerSpec(options: TemporalServerOptions): Promise<ProcessSpec> {
  const folder = join(options.dataDir, 'temporal-server')
  mkdirSync(folder, { recursive: true })
  const dynamic = join(folder, 'dynamic.yaml')
  writeFileSync(dynamic, JSON.stringify(DYNAMIC_CONFIG))
  // JSON is YAML, too.
  writeFileSync(join(folder, 'server.yaml'), JSON.stringify(await serverConfig(options, dynamic)), { mode: 0o600 })
  return {
    name: 'temporal-server',
    command: options.server,
    arguments: ['--root', folder, '--config', '.', '--env', 'server', 'start'],
    environment: plainEnvironment(),
    logFile: join(options.logDir, 'temporal-server.log'),
    answers: () => namespaceAnswers(options),
    startTimeoutMs: 120_000,
    stopTimeoutMs: 30_000,
  }
}

const every = (value: unknown) => [{ value }]

// The same settings as the compose file's.
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': every(200),
  'history.timerProcessorMaxPollRPS': every(200),
  'matching.useNewMatcher': every(true),
  'matching.enableFairness': every(true),
}

async function serverConfig(options: TemporalServerOptions, dynamic: string) {
  const { port, postgres, certificates } = options
  const store = (databaseName: string) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: `127.0.0.1:${postgres.port}`, connectProtocol: 'tcp' },
      ...{ user: 'temporal', password: postgres.password, maxConns: 20, maxIdleConns: 20, maxConnLifetime: '1h' },
    },
  })
  const service = async (grpcPort: number) => ({
    rpc: { grpcPort, membershipPort: await freePort(), bindOnLocalHost: true },
  })
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      ...{ numHistoryShards: SHARDS, defaultStore: 'default', visibilityStore: 'visibility' },
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      ...(certificates && tlsConfig(certificates)),
    },
    services: {
      frontend: await service(port),
      matching: await service(await freePort()),
      history: await service(await freePort()),
      worker: await service(await freePort()),
    },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${port}` },
      },
    },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  }
}

function tlsConfig({ authority, server }: Certificates) {
  const own = { certFile: server.certificate, keyFile: server.key }
  return {
    tls: {
      frontend: {
        server: { ...own, requireClientAuth: true, clientCaFiles: [authority] },
        client: { serverName: 'localhost', rootCaFiles: [authority] },
      },
      systemWorker: { ...own, client: { serverName: 'localhost', rootCaFiles: [authority] } },
    },
  }
}

/** Registers the namespace as soon as the server takes it, and asks until it is served. */
async function namespaceAnswers({ port, namespace, certificates }: TemporalServerOptions): Promise<void> {
  const connection = await Connection.connect({
    address: `127.0.0.1:${port}`,
    connectTimeout: '2s',
    ...(certificates && {
      tls: {
        serverNameOverride: 'localhost',
        serverRootCACertificate: await readFile(certificates.authority),
        clientCertPair: {
          crt: await readFile(certificates.client.certificate),
          key: await readFile(certificates.client.key),
        },
      },
    }),
  })
  try {
    await connection.withDeadline(Date.now() + 5_000, async () => {
      const workflowExecutionRetentionPeriod = { seconds: RETENTION_SECONDS as never }
      await connection.workflowService
        .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
        .catch((error: unknown) => {
          if (codeOf(error) !== GRPC_ALREADY_EXISTS) throw error
        })
      // A new namespace reaches every service's cache within some seconds.
      await connection.workflowService.listOpenWorkflowExecutions({ namespace, maximumPageSize: 1 })
    })
  } finally {
    await connection.close()
  }
}
