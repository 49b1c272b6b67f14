import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { startMongod, type PrivateMongod } from '../streams/private-mongod.ts'
import { eventually } from '../support/service.ts'
import { AGENT, startApp, type AppScene } from './app-scene.ts'

/** Longer than an answer may take that needs no time for its work. */
const LONG_MS = 16_000

describe('A long cancel of very many executions', function () {
  this.timeout(120_000)
  let mongod: PrivateMongod
  let scene: AppScene
  before(async () => {
    mongod = await startMongod()
    scene = await startApp({ MONGODB_URI: mongod.uri })
  })
  afterEach(() => slow('find', 'off'))
  after(async () => {
    await scene.close()
    await mongod.stop()
  })

  /** MongoDB takes long for some commands of this name. */
  const slow = (command: string, mode: { times: number } | { skip: number } | 'off') =>
    scene.store.client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: [command], blockConnection: true, blockTimeMS: LONG_MS },
    })
  const submit = async (): Promise<string> => {
    const batch_id = randomUUID()
    const { status } = await scene.request('POST', `/api/agents/${AGENT}/batch`, { batch_id, tasks: [{}, {}] })
    expect(status).to.equal(200)
    return batch_id
  }

  it('of a batch returns when the cancel is recorded, and continues', async () => {
    const batch_id = await submit()
    // The first one cancels the batch.
    await slow('findAndModify', { skip: 1 })
    const { status, body } = await scene.request('POST', `/api/batches/${batch_id}/cancel`)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.equal({ ok: true, batch_id, status: 'canceled' })
    const left = () => scene.store.executions.countDocuments({ batch_id, status: 'running' })
    expect(await left()).to.equal(2)
    await eventually(left, (count) => count === 0, 60_000)
  })

  it('by a filter returns the counts', async () => {
    const batch_id = await submit()
    await slow('find', { times: 1 })
    const { status, body } = await scene.request('POST', '/api/jobs/cancel', { filter: { batch_id } })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.equal({ matched: 2, canceled: 2, already_ended: 0, failed: 0 })
  })
})
