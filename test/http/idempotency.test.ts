import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { AGENT, startApp, type AppScene } from './app-scene.ts'
import { eventually } from '../support/service.ts'

const prompt = (inputs: object = {}): object => ({ prompt_name: AGENT, inputs })

describe('Idempotency-Key', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp({ SERVICE_API_KEY: 'one,two', RESPONSE_OFFLOAD_BYTES: '1000' })
  })
  after(() => scene.close())

  const post = (path: string, body: unknown, key: string, apiKey = 'one') =>
    scene.request('POST', path, body, { 'x-api-key': apiKey, 'idempotency-key': key })
  const executions = (): Promise<number> => scene.store.executions.countDocuments()

  it('gives the first answer again, and starts nothing twice', async () => {
    for (const [path, body] of [
      ['/api/prompts', prompt({ a: 1 })],
      [`/api/agents/${AGENT}/batch`, { tasks: [{ a: 1 }, { a: 2 }] }],
      [`/api/agents/${AGENT}/chat`, { message: 'Hi', wait: false }],
    ] as const) {
      const key = randomUUID()
      const first = await post(path, body, key)
      const count = await executions()
      const second = await post(path, body, key)
      expect([path, second.status, second.body]).to.deep.equal([path, 200, first.body])
      expect(second.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      expect(await executions()).to.equal(count)
    }
  })

  it('keeps what makes an answer, however large the answer is', async () => {
    const key = randomUUID()
    const body = { tasks: Array.from({ length: 3_000 }, (_, n) => ({ n })) }
    const first = await post(`/api/agents/${AGENT}/batch`, body, key)
    const kept = await scene.store.idempotency.find({}).sort({ created_at: -1 }).limit(1).toArray()
    expect(kept[0]?.facts).to.be.a('string').with.length.below(200)
    const again = await post(`/api/agents/${AGENT}/batch`, body, key)
    expect(again.body.task_ids).to.have.length(3_000)
    expect(again.body).to.deep.equal(first.body)
  })

  it('gives an answer again that is too large for a document', async () => {
    const key = randomUUID()
    const body = { tasks: Array.from({ length: 50 }, () => ({})) }
    const first = await post(`/api/agents/${AGENT}/batch`, body, key)
    expect((await post(`/api/agents/${AGENT}/batch`, body, key)).body).to.deep.equal(first.body)
  })

  it('adds tasks to a batch once', async () => {
    const { body: batch } = await post(`/api/agents/${AGENT}/batch`, { tasks: [{}] }, randomUUID())
    const path = `/api/batches/${batch.batch_id}/add-tasks`
    const key = randomUUID()
    const [first, second] = await Promise.all([1, 2].map(() => post(path, { agent_name: AGENT, tasks: [{}] }, key)))
    expect(first?.body.total_tasks).to.equal(2)
    expect(second?.body).to.deep.equal(first?.body)
  })

  it('belongs to one method, path and API key', async () => {
    const key = randomUUID()
    const answers = await Promise.all([
      post('/api/prompts', prompt(), key),
      post('/api/prompts', prompt(), key, 'two'),
      post(`/api/agents/${AGENT}/chat`, { message: 'Hi', wait: false }, key),
    ])
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.prompt_id ?? body.task_id)).size).to.equal(3)
  })

  it('belongs to a path with a slash at its end or without', async () => {
    const key = randomUUID()
    const first = await post('/api/prompts', prompt(), key)
    expect((await post('/api/prompts/', prompt(), key)).body).to.deep.equal(first.body)
  })

  it('is refused with another body', async () => {
    const key = randomUUID()
    await post('/api/prompts', prompt({ a: 1 }), key)
    expect((await post('/api/prompts', prompt({ a: 2 }), key)).status).to.equal(409)
  })

  it('is not used up by a request that was refused', async () => {
    const key = randomUUID()
    expect((await post('/api/prompts', { prompt_name: AGENT }, key)).status).to.equal(400)
    expect((await post('/api/prompts', { prompt_name: 'nobody', inputs: {} }, key)).status).to.equal(404)
    expect((await post('/api/prompts', prompt(), key)).status).to.equal(200)
  })

  it('has 1 to 255 printable characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'é']) {
      const { status, body } = await post('/api/prompts', prompt(), key)
      expect([status, body.detail]).to.deep.equal([400, 'Idempotency-Key must be 1 to 255 printable characters.'])
    }
  })

  it('lets a second request wait for the answer of the first', async () => {
    const key = randomUUID()
    const before = await executions()
    const both = [1, 2].map(() => post('/api/jobs', { pipeline_name: AGENT, inputs: {} }, key))
    const job = await eventually(
      () => scene.store.executions.findOne({ kind: 'job' }, { sort: { created_at: -1 } }),
      (found) => found !== null,
    )
    await scene.request('POST', `/api/jobs/${job?._id}/cancel`, undefined, { 'x-api-key': 'one' })
    const [first, second] = await Promise.all(both)
    expect(first?.body).to.deep.include({ job_id: job?._id, status: 'canceled' })
    expect(second?.body).to.deep.equal(first?.body)
    expect(await executions()).to.equal(before + 1)
  })

  it('finds what a process created that died before it answered', async () => {
    const key = randomUUID()
    const first = await post('/api/prompts', prompt({ died: true }), key)
    const unanswered = { facts: null, leased_until: new Date(Date.now() - 1) }
    await scene.store.idempotency.updateMany({}, { $set: unanswered })
    const count = await executions()
    const second = await post('/api/prompts', prompt({ died: true }), key)
    expect(second.body.prompt_id).to.equal(first.body.prompt_id)
    expect(await executions()).to.equal(count)
  })

  it('goes on with the same job when a client comes back that had left', async () => {
    const key = randomUUID()
    const body = JSON.stringify({ pipeline_name: AGENT, inputs: { left: true } })
    const headers = { 'content-type': 'application/json', 'x-api-key': 'one', 'idempotency-key': key }
    const before = await executions()
    const leaving = new AbortController()
    const left = fetch(`${scene.url}/api/jobs`, { method: 'POST', headers, body, signal: leaving.signal })
    await eventually(executions, (count) => count === before + 1)
    leaving.abort()
    await left.catch(() => undefined)
    const again = scene.request('POST', '/api/jobs', body, headers)
    const job = await scene.store.executions.findOne({ kind: 'job' }, { sort: { created_at: -1 } })
    await scene.request('POST', `/api/jobs/${job?._id}/cancel`, undefined, { 'x-api-key': 'one' })
    expect((await again).body).to.deep.include({ job_id: job?._id, status: 'canceled' })
    expect(await executions()).to.equal(before + 1)
  })
})
