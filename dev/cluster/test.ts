import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { endOnSignal } from '../lifetime.ts'
import { runToEnd } from '../run-to-end.ts'
import { sayToTerminal as say } from '../say.ts'
import { REPLICA_SET } from './replica-set.ts'
import { startCluster } from './start-cluster.ts'

const STOP_DEADLINE_MS = 60_000

/**
 * `npm run test:cluster`: the whole test suite against a real Temporal server on PostgreSQL and a MongoDB replica set of
 * three nodes, which it learns of by environment variables alone, and then the tests that need such a cluster. Files and
 * mocha's own options may be given instead.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2)
  const isPart = given.some((word) => /\.ts$|^test\//.test(word))
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-cluster-'))
  let stop = async () => rm(dataDir, { recursive: true, force: true })
  endOnSignal(() => stop(), STOP_DEADLINE_MS)
  try {
    const cluster = await startCluster({ dataDir, say })
    const remove = stop
    stop = async () => {
      await cluster.stop()
      await remove()
    }
    // One node's address is enough for a driver; tests that put a proxy before MongoDB take the port from it.
    const seed = `mongodb://127.0.0.1:${(await cluster.replicaSet.primary()).port}/?replicaSet=${REPLICA_SET}`
    Object.assign(process.env, cluster.environment, { MONGODB_URI: seed })
    const test = (...more: string[]) => runToEnd('node', [join(import.meta.dirname, '../test.ts'), ...more, ...given])
    const code = await test()
    // They stop nodes that all tests share: each alone, when everything else has ended.
    const last = isPart ? 0 : await test('test/cluster/*.cluster.ts', '--no-parallel')
    process.exitCode = code === 0 ? last : code
  } finally {
    await stop()
  }
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.exit(1)
})
