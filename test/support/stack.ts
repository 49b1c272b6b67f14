import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerName } from '../../dev/binaries/program.ts'
import { startStack as startServers, type EmbeddedServer } from '../../dev/embedded-stack.ts'
import { saySilently } from '../../dev/say.ts'
import { readStackFile } from '../../config.ts'
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

/**
 * Addresses of the servers that the whole run shares, which `npm test` starts. Isolate yourself with random ids or `isolated`;
 * never stop or fill these servers.
 * @throws Error where there are none: unit tests need no server.
 */
export function sharedStack(): StackEnvironment {
  const { TEST_STACK } = process.env
  if (TEST_STACK === undefined) throw new Error('No servers were started for unit tests: this test belongs elsewhere.')
  return readStackFile(TEST_STACK)
}

/** The same servers with a database and a worker pool of their own, so that no other test's work is seen. */
export function isolated(env: StackEnvironment): StackEnvironment {
  const id = randomUUID().slice(0, 8)
  return { ...env, MONGODB_DATABASE: `test-${id}`, WORKER_POOL: `test-${id}` }
}
