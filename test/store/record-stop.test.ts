import { expect } from 'chai'
import type { ActivityDependencies } from '../../activities/dependencies.ts'
import { recordStop } from '../../activities/record-outcome.ts'
import { createLog } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { createLedger, type Ledger } from '../../store/ledger/ledger.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

describe('The record that a canceled execution has stopped', function () {
  this.timeout(60_000)
  let store: Store
  let ledger: Ledger

  before(async () => {
    store = await openOwnStore()
    ledger = createLedger({ store, log: createLog('test', 'silent'), tracing: true, timeoutMs: 10_000 })
  })
  after(() => dropOwnStore(store))

  it('leaves one that came to its end first as it is', async () => {
    const take = { n: 1, attempt: 'a1', worker: 'w', lost: 0, start: 1, started_at: new Date() }
    const seen = buildExecution({ takes: { 0: take }, started_at: new Date() })
    await storeExecutions(store, [seen])
    const at = new Date(Date.now() - 5_000)
    const finish = { status: 'completed', outputs: { json: '1' }, error: null, latencyMs: 1, at } as const
    const writer = { path: '0', attempt: 'a1' }
    await ledger.append({ jobId: seen._id, batchId: undefined, path: 'end', writer, events: [], finish })
    const ended = await store.executions.findOne({ _id: seen._id })
    await recordStop({ store, ledger } as ActivityDependencies, seen)
    expect(await store.executions.findOne({ _id: seen._id })).to.deep.equal(ended)
    expect(await store.traces.countDocuments({ job_id: seen._id })).to.equal(0)
  })

  it('ends one that only Temporal canceled', async () => {
    const seen = buildExecution({ started_at: new Date() })
    await storeExecutions(store, [seen])
    await recordStop({ store, ledger } as ActivityDependencies, seen)
    const stopped = await store.executions.findOne({ _id: seen._id })
    expect(stopped).to.include({ status: 'canceled' })
    expect(stopped?.completed_at).to.be.a('date')
  })
})
