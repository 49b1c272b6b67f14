import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack as startServers, type EmbeddedServer, type ServerName } from '../../dev/embedded-stack.ts'
import { saySilently } from '../../dev/say.ts'
import type { StackEnvironment } from '../../dev/stack-file.ts'

/** Servers of a test's own: it may kill them and start them again on the same port and data. */
export interface PrivateStack {
  /** Environment for the processes that shall use these servers. */
  env: StackEnvironment
  servers: Record<ServerName, EmbeddedServer>
  /** Stops what runs; the data is removed unless the caller named the folder. */
  stop: () => Promise<void>
}

/** Starts private servers, for tests that kill them. They are not restarted by themselves. */
export async function startStack({ dataDir }: { dataDir?: string } = {}): Promise<PrivateStack> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'troupe-stack-')))
  const { environment, servers, stop } = await startServers({ dataDir: folder, say: saySilently, supervised: false })
  return {
    env: environment,
    servers: servers as Record<ServerName, EmbeddedServer>,
    stop: async () => {
      await stop()
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

let shared: Promise<{ environment: StackEnvironment; stop: () => Promise<void> }> | undefined

/**
 * Addresses of the servers that the whole run shares, started when the first test asks; an address in the environment is
 * used instead. Isolate yourself with random ids or `isolated`; never stop or fill these servers.
 */
export async function sharedStack(): Promise<StackEnvironment> {
  shared ??= startShared()
  return { ...(await shared).environment }
}

/** Ends the shared servers; called once, after the last test. */
export async function stopSharedStack(): Promise<void> {
  const stopping = shared
  shared = undefined
  await (await stopping)?.stop()
}

/** The same servers with a database and a worker pool of their own, so that no other test's work is seen. */
export function isolated(env: StackEnvironment): StackEnvironment {
  const id = randomUUID().slice(0, 8)
  return { ...env, MONGODB_DATABASE: `test-${id}`, WORKER_POOL: `test-${id}` }
}

async function startShared() {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-test-'))
  const { environment, stop } = await startServers({
    dataDir,
    given: process.env,
    say: saySilently,
    supervised: true,
  })
  return {
    environment,
    stop: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
