import { expect } from 'chai'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ClientSession } from 'mongodb'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import { transact } from '../../store/mongodb/transact.ts'
import { isolated, sharedStack } from '../support/stack.ts'

describe('A transaction', function () {
  this.timeout(60_000)
  let store: Store
  let env: Record<string, string>

  before(async () => {
    env = isolated(sharedStack())
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    await ensureSchema(store)
  })
  after(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  it('does not wait for the minute that a killed process would hold its documents', async function () {
    this.timeout(30_000)
    const holder = fork(fileURLToPath(new URL('./hold-transaction.ts', import.meta.url)), {
      env: { MONGODB_URI: env.MONGODB_URI ?? '', MONGODB_DATABASE: env.MONGODB_DATABASE ?? '' },
    })
    await once(holder, 'message')
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await transact(store, (session) =>
      store.counters.updateOne({ _id: 'ledger' }, { $inc: { last_trace_id: 1 } }, { session }),
    )
    const counter = await store.counters.findOne({ _id: 'ledger' })
    expect(counter?.last_trace_id).to.equal(1)
  })

  it('tells who has no more patience that the database is busy', async () => {
    const touch = (session: ClientSession) =>
      store.counters.updateOne({ _id: 'ledger' }, { $inc: { last_trace_id: 1 } }, { session })
    await store.client.withSession(async (holder) => {
      holder.startTransaction()
      await touch(holder)
      const waiting = transact(store, touch, { timeoutMs: 300 })
      const error = await waiting.catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'unavailable' })
      await holder.abortTransaction()
    })
  })
})
