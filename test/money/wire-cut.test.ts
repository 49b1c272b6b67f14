import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { budgetOf } from './sums.ts'

/** What a reservation sets, and nothing that comes before it. */
const RESERVES = 'reserved.'
/** What the driver sends at the end of a transaction. */
const COMMIT = 'commitTransaction'
/** Longer than the driver tries by itself. */
const CUT_MS = 8_000

describe('A budget of a worker that loses its connection to MongoDB', function () {
  this.timeout(180_000)
  let scene: MoneyScene
  let folder: string
  let mongod: Proxy
  let worker: ServiceProcess

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(() => ({ text: 'done' }), folder)
    await scene.worker.stop()
    mongod = await startProxy(Number(new URL(scene.env.MONGODB_URI ?? '').port))
    const wired = { MONGODB_URI: `mongodb://127.0.0.1:${mongod.port}/?directConnection=true` }
    worker = await startWorker({ env: { ...scene.env, ...wired } })
  })
  after(async () => {
    await worker?.stop()
    await mongod?.close()
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('does not block a task whose reservation of the rest was not confirmed', async () => {
    const batch_id = `b-${randomUUID()}`
    const broken = mongod.breakAfter(RESERVES)
    const body = { tasks: [{ query: 'once' }], batch_id, budget: { modelCalls: 1 } }
    await scene.request('POST', '/api/agents/spender/batch', body)
    await broken
    mongod.cut()
    const { left } = await budgetOf(scene, `batch|${batch_id}`)
    expect(left, 'it was reserved').to.deep.equal({ model_calls: 0 })
    await sleep(CUT_MS)
    mongod.mend()
    const batch = await eventually(
      () => scene.request('GET', `/api/batches/${batch_id}?results=false`),
      ({ body: { status } }) => status === 'completed',
      60_000,
    )
    expect(batch.body.outputs.summary).to.include({ succeeded: 1, failed: 0 })
    const { reserved, spent } = await budgetOf(scene, `batch|${batch_id}`)
    expect(reserved).to.deep.equal({})
    expect(spent).to.include({ model_calls: 1 })
  })

  it('causes one warning when the commit of the warning is not confirmed', async () => {
    const broken = mongod.breakAfter('budget_warning', COMMIT)
    const body = { prompt_name: 'spender', inputs: { query: 'once' }, budget: { modelCalls: 1 } }
    const { body: created } = await scene.request('POST', '/api/prompts', body)
    await broken
    mongod.cut()
    await sleep(CUT_MS)
    mongod.mend()
    expect((await untilEnded(scene, created.prompt_id)).body.status).to.equal('completed')
    const said = { job_id: created.prompt_id, event_type: 'budget_warning' } as const
    expect(await scene.store.traces.countDocuments(said)).to.equal(1)
  })
})
