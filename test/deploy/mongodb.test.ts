import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { plainEnvironment } from '../../dev/servers/server-options.ts'
import { createLog } from '../../log.ts'
import { connectStore } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import { startProxy } from '../support/proxy.ts'
import { startReplicaSet, type ReplicaSet } from '../support/replica-set.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
/** Whoever cannot connect a driver for so long gets its topology closed. */
const FIRST_CONNECTION_MS = 5_000

interface Ended {
  code?: number
  stdout: string
  stderr: string
}

const program = (script: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  run(process.execPath, [join(ROOT, 'deploy', script), ...args], {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...env },
  }).catch((error: Ended) => error)

describe('await-secondary.ts', function () {
  this.timeout(180_000)
  let folder: string
  let set: ReplicaSet

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-set-'))
    set = await startReplicaSet(folder)
  })
  after(async () => {
    await set.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('tells a healthy secondary from the primary, and waits for one that starts again', async () => {
    const primary = await set.primary()
    const secondary = set.nodes.find((node) => node !== primary) ?? expect.fail('there is only one node')
    const healthy = await program('await-secondary.ts', [`127.0.0.1:${secondary.port}`, '60'])
    expect(healthy.stdout).to.contain('is a healthy secondary')
    const other = await program('await-secondary.ts', [`127.0.0.1:${primary.port}`, '0'])
    expect(other).to.include({ code: 1 })
    expect(other.stderr).to.contain('it is the primary')

    await secondary.managed.stop()
    const away = await program('await-secondary.ts', [`127.0.0.1:${secondary.port}`, '0'])
    expect(away.stderr).to.contain('is not a healthy secondary')
    const waiting = program('await-secondary.ts', [`127.0.0.1:${secondary.port}`, '100'])
    await secondary.managed.start()
    expect((await waiting).stdout).to.contain('is a healthy secondary')
  })
})

describe('leave-trace-gap.ts', () => {
  it('makes the ids of trace events go on far behind those that the copy holds', async () => {
    const env = isolated(sharedStack())
    const store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    try {
      await ensureSchema(store)
      const event = { job_id: 'a', agent_name: 'a', event_type: 'error', parent_id: null, payload: '{}' } as const
      await store.traces.insertOne({ _id: 41, ...event, timestamp: new Date() })
      await store.counters.updateOne({ _id: 'ledger' }, { $set: { last_trace_id: 40 } })
      const { stdout } = await program('leave-trace-gap.ts', [], env)
      expect(stdout).to.equal('Trace events continue after id 1000041.\n')
      const ledger = createLedger({ store, log: createLog('test', 'silent'), tracing: true, timeoutMs: 10_000 })
      const job = randomUUID()
      const draft = { type: 'error', agent: 'a', parent: null, payload: '{}', at: new Date() } as const
      await store.executions.insertOne({ _id: job, status: 'running', completed_at: null } as never)
      const { traceId } = await ledger.append({ jobId: job, batchId: undefined, path: '0', events: [draft] })
      expect(traceId).to.equal(1_000_042)
    } finally {
      await store.db.dropDatabase()
      await store.close()
    }
  })

  it('waits for a database that comes later than a driver waits for its first connection', async () => {
    const { MONGODB_URI = '', MONGODB_DATABASE = '' } = isolated(sharedStack())
    const { hostname, port } = new URL(MONGODB_URI)
    const wire = await startProxy(Number(port), hostname)
    const uri = `mongodb://127.0.0.1:${wire.port}/?directConnection=true`
    wire.cut()
    try {
      const leaving = program('leave-trace-gap.ts', [], { MONGODB_URI: uri, MONGODB_DATABASE })
      await sleep(FIRST_CONNECTION_MS + 3_000)
      wire.mend()
      expect((await leaving).stdout).to.equal('Trace events continue after id 1000000.\n')
    } finally {
      const store = connectStore({ uri: MONGODB_URI, database: MONGODB_DATABASE, appName: 'test' })
      await store.db.dropDatabase()
      await store.close()
      await wire.close()
    }
  })
})
