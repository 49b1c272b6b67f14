import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import { createLog } from '../../log.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import type { LedgerEntry } from '../../store/ledger/entry.ts'
import { transact } from '../../store/mongodb/transact.ts'
import { isTransient } from '../../store/mongodb/transient.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { eventually } from '../support/service.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const ledgerOn = (store: Store) =>
  createLedger({ store, log: createLog('test', 'silent'), tracing: true, timeoutMs: Infinity })

function step(jobId: string, path: string): LedgerEntry {
  const event = { type: 'tool_call', agent: 'a', parent: null, payload: '{}', at: new Date() } as const
  return { jobId, batchId: undefined, path, events: [event] }
}

const CUTS = 40

describe('A connection to MongoDB that is cut', function () {
  this.timeout(60_000)
  let proxy: Proxy
  let store: Store
  /** Around the proxy. */
  let direct: Store

  before(async () => {
    const { MONGODB_URI = '', MONGODB_DATABASE: database = '' } = isolated(sharedStack())
    proxy = await startProxy(Number(new URL(MONGODB_URI).port))
    const uri = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`
    // As the service's own, so that the transactions that a cut leaves open are ended.
    store = connectStore({ uri, database, appName: 'troupe-test' })
    direct = connectStore({ uri: MONGODB_URI, database, appName: 'test' })
    await ensureSchema(direct)
  })
  after(async () => {
    await direct.db.dropDatabase()
    await direct.close()
    await store.close()
    await proxy.close()
  })

  const cut = (): void => {
    proxy.cut()
    proxy.mend()
  }

  const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )

  const connected = () =>
    eventually(
      () => store.cache.findOne().catch((error: Error) => error),
      (answer) => !(answer instanceof Error),
    )

  /** What an operation throws that begins at the moment of a cut, if anything. */
  const cutBefore = async (operation: () => Promise<unknown>): Promise<unknown> => {
    await connected()
    cut()
    return thrownBy(operation())
  }

  it('is recognized for every kind of command', async () => {
    const document = () => ({ _id: randomUUID(), answer: '', at: new Date(), expires_at: null })
    const operations = {
      read: () => store.cache.findOne(),
      list: () => store.cache.find().toArray(),
      aggregate: () => store.cache.aggregate([{ $count: 'all' }]).toArray(),
      write: () => store.cache.insertOne(document()),
      'bulk write': () => store.cache.insertMany([document(), document()]),
      'large write': () => store.cache.insertOne({ ...document(), answer: 'x'.repeat(1_000_000) }),
      transaction: () => transact(store, (session) => store.cache.insertMany([document()], { session })),
    }
    for (const [name, operation] of Object.entries(operations)) {
      const error = await cutBefore(operation)
      expect(error === undefined || isTransient(error), `${name}: ${String(error)}`).to.equal(true)
    }
  })

  it('is recognized during a commit', async () => {
    const commit = () =>
      transact(store, async (session) => {
        await store.cache.deleteMany({}, { session })
        cut()
      })
    const error = await cutBefore(commit)
    expect(error === undefined || isTransient(error), String(error)).to.equal(true)
  })

  it('is recognized when the server stops responding in the middle of a large command', async () => {
    const document = { _id: randomUUID(), answer: 'x'.repeat(12_000_000), at: new Date(), expires_at: null }
    const write = (session: ClientSession) => {
      proxy.freeze()
      return store.cache.insertOne(document, { session })
    }
    await connected()
    const error = await thrownBy(transact(store, write, { idleTimeoutMs: 1_000 }))
    cut()
    expect(isTransient(error), String(error)).to.equal(true)
  })

  it('does not fail a single ledger entry during its commit', async () => {
    let cuts = 0
    const bulkWrite: typeof store.executions.bulkWrite = async (...operations) => {
      const result = await store.executions.bulkWrite(...operations)
      // The last command before the commit.
      if (cuts === 0) cut()
      cuts += 1
      return result
    }
    const executions = Object.create(store.executions, { bulkWrite: { value: bulkWrite } }) as typeof store.executions
    const job = randomUUID()
    await storeExecutions(direct, [buildExecution({ _id: job })])
    expect(await ledgerOn({ ...store, executions }).append(step(job, 'only'))).to.have.property('traceId')
    expect(await direct.traces.countDocuments({ job_id: job })).to.equal(1)
  })

  it('loses no entry of the ledger and writes none twice', async () => {
    const ledger = ledgerOn(store)
    const jobs = Array.from({ length: 20 }, () => randomUUID())
    await storeExecutions(
      direct,
      jobs.map((_id) => buildExecution({ _id })),
    )
    let cuts = 0
    const cutting = (async () => {
      for (; cuts < CUTS; cuts += 1) {
        await sleep(Math.random() * 50)
        cut()
      }
    })()
    const appended = jobs.map(async (jobId) => {
      let steps = 0
      for (; cuts < CUTS; steps += 1) {
        await ledger.append(step(jobId, `step-${steps}`))
      }
      return steps
    })
    const steps = await Promise.all(appended)
    await cutting
    for (const [index, job_id] of jobs.entries()) {
      expect(await direct.traces.countDocuments({ job_id })).to.equal(steps[index])
    }
  })
})
