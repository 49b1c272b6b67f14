import { expect } from 'chai'
import type { Store } from '../../store/mongodb/connect.ts'
import { createSubmissions } from '../../store/submissions.ts'
import { buildExecution } from '../build/execution.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

describe('A submission that is taken back', function () {
  this.timeout(60_000)
  let store: Store

  before(async () => void (store = await openOwnStore()))
  after(() => dropOwnStore(store))

  it('is gone when nobody else has found it', async () => {
    const execution = buildExecution()
    const submissions = createSubmissions(store)
    await submissions.insert(execution)
    expect(await submissions.withdraw(execution._id)).to.equal(true)
    expect(await store.executions.findOne({ _id: execution._id })).to.equal(null)
  })

  it('stays when a second try under its seed has found it: its client was told that it is accepted', async () => {
    const execution = buildExecution()
    const [stopped, other] = [createSubmissions(store), createSubmissions(store)]
    await stopped.insert(execution)
    const found = await other.insert({ ...execution })
    expect(found).to.include({ _id: execution._id, status: 'running' })
    expect(await stopped.withdraw(execution._id)).to.equal(false)
    expect(await store.executions.findOne({ _id: execution._id })).to.include({ status: 'running' })
  })

  it('that has come to rest is neither changed by a second try nor taken back', async () => {
    const execution = buildExecution()
    const [first, other] = [createSubmissions(store), createSubmissions(store)]
    await first.insert(execution)
    await store.executions.updateOne({ _id: execution._id }, { $set: { status: 'canceled', completed_at: new Date() } })
    const ended = await store.executions.findOne({ _id: execution._id })
    expect(await other.insert({ ...execution })).to.deep.equal(ended)
    expect(await first.withdraw(execution._id)).to.equal(false)
    expect(await store.executions.findOne({ _id: execution._id })).to.deep.equal(ended)
  })
})
