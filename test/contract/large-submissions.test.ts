import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { freePort } from '../../dev/ports.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startApi, type ApiProcess } from '../support/processes.ts'
import { request } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const AGENT = 'nobody'
const TASKS = 100_000
/** A turn of the event loop is felt by everybody else: each must be a small part of the whole, however slow the machine. */
const LARGEST_PART = 1 / 8

describe('A submission of the maximum number of tasks', function () {
  this.timeout(240_000)
  let api: ApiProcess
  let store: Store
  let adminUrl: string
  before(async () => {
    const servers = isolated(sharedStack())
    const port = await freePort()
    adminUrl = `http://127.0.0.1:${port}`
    store = connectStore({ uri: servers.MONGODB_URI ?? '', database: servers.MONGODB_DATABASE ?? '', appName: 'test' })
    await store.agents.insertOne({
      ...{
        _id: `${AGENT}|nobody`,
        name: AGENT,
        role: 'Nobody',
        goal: 'Never run',
        pool: 'nobody',
        kind: 'code',
        tools: [],
        last_seen: new Date(),
      },
    })
    // Without a worker nobody runs the tasks: what is measured is their way in.
    api = await startApi({ env: { ...servers, ADMIN_PORT: String(port) } })
  })
  after(async () => {
    await api.stop()
    await store.db.dropDatabase()
    await store.close()
  })

  /** The longest turn of the API's event loop since this was asked last. */
  const longestTurn = async (): Promise<number> => {
    const { body } = await request(adminUrl, 'GET', '/metrics')
    return Number(/^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? ([\d.e+-]+)$/m.exec(String(body))?.[1])
  }

  it('does not delay other requests, and needs only a few bytes to repeat its response', async () => {
    const body = JSON.stringify({ tasks: Array.from({ length: TASKS }, (_, n) => ({ n })) })
    const headers = { 'idempotency-key': randomUUID() }
    const submit = () => request(api.url, 'POST', `/api/agents/${AGENT}/batch`, body, headers)
    await longestTurn()
    const submittedAt = performance.now()
    const first = await submit()
    const seconds = (performance.now() - submittedAt) / 1_000
    expect(first.body.task_ids).to.have.length(TASKS)
    expect(await longestTurn()).to.be.below(seconds * LARGEST_PART)
    const [kept] = await store.idempotency.find().toArray()
    expect(kept?.facts).to.have.length.below(300)
    const again = await submit()
    expect(again.body).to.deep.equal(first.body)
    expect(await longestTurn()).to.be.below(seconds * LARGEST_PART)
    expect(await store.executions.countDocuments()).to.equal(TASKS)
    const path = `/api/batches/${first.body.batch_id}?results=false&inputs=false&ids=false`
    const startedAt = performance.now()
    const { body: poll } = await request(api.url, 'GET', path)
    expect((performance.now() - startedAt) / 1_000).to.be.below(seconds * LARGEST_PART)
    expect(poll).to.deep.include({ task_count: TASKS, task_ids: [], inputs: { tasks: [] } })
    await request(api.url, 'POST', `/api/batches/${first.body.batch_id}/cancel`)
  })
})
