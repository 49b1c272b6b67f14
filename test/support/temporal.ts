import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { saySilently } from '../../dev/say.ts'
import { temporalSpec } from '../../dev/servers/temporal.ts'
import { workflowId } from '../../core/queues.ts'

/** Temporal as an operator of a service sees it. */
export interface TemporalOfService {
  client: Client
  /** The workflow of an execution or batch. */
  handleOf: (id: string) => WorkflowHandle
  close: () => Promise<void>
}

/** Connects to the Temporal of a service. */
export async function connectTemporal(env: Record<string, string>): Promise<TemporalOfService> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, MONGODB_DATABASE: queue = '' } = env
  const connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace })
  return {
    client,
    handleOf: (id) => client.workflow.getHandle(workflowId(queue, id)),
    close: () => connection.close(),
  }
}

/** A Temporal server of a test's own. */
export interface OwnTemporal {
  address: string
  pid: () => number | undefined
  /** Stops it and removes its data. */
  stop: () => Promise<void>
}

/**
 * Starts a Temporal server that wants histories to begin anew early, as they do for real only in long work.
 * @param events - length of a history from which on it says so.
 */
export async function startForgetfulTemporal(events: number): Promise<OwnTemporal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-temporal-'))
  const binary = await findBinary('temporal', { environment: process.env, say: saySilently })
  const port = await freePort()
  const spec = temporalSpec({ binary, port, dataDir, logDir: dataDir, namespace: 'default' })
  const suggestion = ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${events}`]
  const server = new ManagedProcess({ ...spec, arguments: [...spec.arguments, ...suggestion] })
  await server.start()
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { address: `127.0.0.1:${port}`, pid: () => server.pid, stop }
}
