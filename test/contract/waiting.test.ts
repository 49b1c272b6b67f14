import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { waitForEnd, waitForTasks } from '../../api/runs/waiting.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { createFeed, type Feed } from '../../store/feed/feed.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { isolated, sharedStack } from '../support/stack.ts'

describe('Waiting for an end', function () {
  this.timeout(60_000)
  let store: Store
  let behindProxy: Store
  let proxy: Proxy
  let feed: Feed

  before(async () => {
    const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = isolated(sharedStack())
    store = connectStore({ uri, database, appName: 'test' })
    await ensureSchema(store)
    proxy = await startProxy(Number(new URL(uri).port))
    proxy.cut()
    const proxied = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`
    behindProxy = connectStore({ uri: proxied, database, appName: 'test' })
    feed = createFeed({ store: behindProxy, log: pino({ level: 'silent' }) })
  })
  after(async () => {
    await feed.close()
    await behindProxy.close()
    await proxy.close()
    await store.db.dropDatabase()
    await store.close()
  })

  const running = async (more: Partial<ExecutionDocument> = {}): Promise<string> => {
    const document = buildExecution({ kind: 'job', ...more })
    await storeExecutions(store, [document])
    return document._id
  }

  it('misses nothing that ended before the change stream was open', async () => {
    const { signal } = new AbortController()
    const batch = randomUUID()
    const [job, task] = [await running(), await running({ kind: 'task', batch_id: batch, batch_index: 0 })]
    const ofJob = waitForEnd({ store, feed }, job, signal)
    const ofTask = waitForTasks({ store, feed }, batch, [task], signal)
    await store.executions.findOne({ _id: job })
    await store.executions.updateMany({}, { $set: { status: 'completed', completed_at: new Date() } })
    proxy.mend()
    expect((await ofJob)?.status).to.equal('completed')
    expect(await ofTask).to.equal(true)
  })

  it('ends when its signal fires', async () => {
    const controller = new AbortController()
    const job = await running()
    const waiting = waitForEnd({ store, feed }, job, controller.signal)
    controller.abort()
    expect(await waiting).to.equal(undefined)
    expect(await waitForEnd({ store, feed }, job, controller.signal)).to.equal(undefined)
    expect(await waitForTasks({ store, feed }, 'none', [job], controller.signal)).to.equal(false)
  })
})
