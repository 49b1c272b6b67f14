import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { workflowId } from '../../core/queues.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, request, TEST_AGENTS, untilEnded } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

describe('An API process that is cut off', function () {
  this.timeout(180_000)
  let env: Record<string, string>
  let temporal: Proxy
  let mongod: Proxy
  let api: ApiProcess
  let worker: ServiceProcess
  /** Around the proxies. */
  let store: Store

  before(async () => {
    env = { ...isolated(sharedStack()), AGENTS_DIR: TEST_AGENTS } as Record<string, string>
    const { TEMPORAL_ADDRESS = '', MONGODB_URI = '', MONGODB_DATABASE: database = '' } = env
    temporal = await startProxy(Number(TEMPORAL_ADDRESS.split(':')[1]))
    mongod = await startProxy(Number(new URL(MONGODB_URI).port))
    store = connectStore({ uri: MONGODB_URI, database, appName: 'test' })
    const wired = {
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      MONGODB_URI: `mongodb://127.0.0.1:${mongod.port}/?directConnection=true`,
    }
    worker = await startWorker({ env })
    api = await startApi({ env: { ...env, ...wired } })
  })
  afterEach(() => {
    temporal.mend()
    mongod.mend()
  })
  after(async () => {
    await Promise.all([api.stop(), worker.stop()])
    await Promise.all([temporal.close(), mongod.close()])
    await store.db.dropDatabase()
    await store.close()
  })

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(api.url, method, path, body, headers)
  const stored = (tag: string) => store.executions.find({ 'inputs.json': { $regex: tag } } as object).toArray()

  it('reports that a submission may have started, and finds it with the same Idempotency-Key', async () => {
    const [tag, keyed] = [randomUUID(), { 'idempotency-key': randomUUID() }]
    const body = { prompt_name: 'instant', inputs: { tag } }
    temporal.freeze(true)
    const first = call('POST', '/api/prompts', body, keyed)
    const [execution] = await eventually(
      () => stored(tag),
      (found) => found.length > 0,
    )
    mongod.cut()
    const answer = await first
    expect(answer.status).to.equal(503)
    expect(Number(answer.headers.get('retry-after'))).to.be.above(0)
    expect(answer.body.detail).to.contain('may have started')
    mongod.mend()
    temporal.mend()
    const again = await eventually(
      () => call('POST', '/api/prompts', body, keyed),
      ({ status }) => status === 200,
      60_000,
    )
    expect(again.body.prompt_id).to.equal(execution?._id)
    const ended = await untilEnded({ request: call }, again.body.prompt_id)
    expect(ended.body.status).to.equal('completed')
    expect(await stored(tag)).to.have.length(1)
  })

  it('accepts a submission that Temporal started although its response was lost', async () => {
    const tag = randomUUID()
    temporal.mute()
    const { status, body } = await call('POST', '/api/prompts', { prompt_name: 'instant', inputs: { tag } })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect((await untilEnded({ request: call }, body.prompt_id)).body.status).to.equal('completed')
    expect((await stored(tag)).map(({ _id }) => _id)).to.deep.equal([body.prompt_id])
  })

  it('cancels what never started; its workflow ends with any worker, also one of another pool', async () => {
    await worker.kill9()
    const accepted = await eventually(
      () => call('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} }),
      ({ status }) => status === 200,
      60_000,
    )
    const id = accepted.body.prompt_id as string
    temporal.cut()
    expect((await call('POST', `/api/prompts/${id}/cancel`)).body).to.deep.include({ ok: true, status: 'canceled' })
    expect((await call('GET', `/api/prompts/${id}`)).body.completed_at).to.be.a('string')
    temporal.mend()
    const other = await startWorker({
      env,
      pool: `other-${randomUUID().slice(0, 8)}`,
      agentsDir: `${TEST_AGENTS}-elsewhere`,
    })
    const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' })
    try {
      const workflow = new Client({ connection }).workflow.getHandle(workflowId(env.MONGODB_DATABASE ?? '', id))
      const { status } = await eventually(
        () => workflow.describe(),
        (found) => found.status.name !== 'RUNNING',
        60_000,
      )
      expect(status.name).to.equal('COMPLETED')
    } finally {
      await connection.close()
      await other.stop()
      await worker.restart()
    }
  })
})
