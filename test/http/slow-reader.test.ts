import { expect } from 'chai'
import { storeExecutions } from '../build/store-executions.ts'
import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionDocument } from '../../store/documents.ts'
import { startMongod, type PrivateMongod } from '../streams/private-mongod.ts'
import { AGENT, startApp, type AppScene } from './app-scene.ts'

const TASKS = 2_000
const TEXT = 'y'.repeat(10_000)

describe('A client that reads a large batch slowly', function () {
  this.timeout(120_000)
  let mongod: PrivateMongod
  let scene: AppScene
  before(async () => {
    mongod = await startMongod()
    scene = await startApp({ MONGODB_URI: mongod.uri })
    // The server keeps past moments for five minutes: here for no time at all.
    await scene.store.client.db('admin').command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 })
  })
  after(async () => {
    await scene.close()
    await mongod.stop()
  })

  const makeBatch = async (): Promise<string> => {
    const batch_id = randomUUID()
    const tasks = Array.from({ length: TASKS }, (_, index): ExecutionDocument => ({
      ...{ _id: randomUUID(), kind: 'task', prompt_name: AGENT, mode: 'single', status: 'completed', agents: [] },
      ...{
        inputs: { json: JSON.stringify({ index, TEXT }) },
        outputs: { json: JSON.stringify({ index }) },
        error: null,
      },
      ...{ usage: {}, created_at: new Date(), completed_at: new Date(), batch_id, batch_index: index },
    }))
    await storeExecutions(scene.store, tasks)
    await scene.store.batches.insertOne({
      ...{ _id: batch_id, agent_name: AGENT, status: 'completed', task_count: TASKS, succeeded: TASKS, failed: 0 },
      ...{ created_at: new Date(), completed_at: new Date() },
    })
    return batch_id
  }

  it('gets the whole batch, even after the snapshot of the read has expired', async () => {
    const id = await makeBatch()
    const [response] = (await once(get(`${scene.url}/api/batches/${id}`), 'response')) as [IncomingMessage]
    response.pause()
    // Whatever is written now makes the past older.
    for (let n = 0; n < 20; n += 1) {
      await scene.store.counters.updateOne({ _id: 'x' }, { $inc: { submitted: 1 } }, { upsert: true })
      await sleep(200)
    }
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString())
    expect(body.inputs.tasks).to.have.length(TASKS)
    expect(Object.keys(body.outputs.results)).to.have.length(TASKS)
    expect(body.outputs.summary).to.deep.equal({ total_expected: TASKS, recorded: TASKS, succeeded: TASKS, failed: 0 })
  })

  it('gets an incomplete response when the batch is deleted meanwhile', async () => {
    const id = await makeBatch()
    const [response] = (await once(get(`${scene.url}/api/batches/${id}`), 'response')) as [IncomingMessage]
    response.pause()
    expect((await scene.request('DELETE', `/api/batches/${id}`)).body.deleted).to.include({ executions: TASKS })
    const read = await response.toArray().catch((error: unknown) => error)
    expect(read).to.be.an('error').with.property('code', 'ECONNRESET')
  })
})
