import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { eventually, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { conforming, startScene } from './scene.ts'

describe('Idempotency-Key', function () {
  this.timeout(180_000)
  let service: TestService
  let batchId: string
  let jobId: string
  const post = (path: string, body: unknown, key: string, more: Record<string, string> = {}) =>
    service.request('POST', path, body, { 'idempotency-key': key, 'x-api-key': 'one', ...more })
  const executions = () => service.store.executions.countDocuments()

  before(async () => {
    service = await startScene({ env: { SERVICE_API_KEY: 'one,two' } })
    const authorized = service.request
    service.request = (method, path, body, headers = {}) =>
      authorized(method, path, body, { 'x-api-key': 'one', ...headers })
    batchId = (await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], wait: true })).body.batch_id
    jobId = (await service.request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })).body.job_id
  })
  after(() => service.stop())

  const submissions = (): [name: string, path: string, body: object, started: number][] => [
    ['a prompt', '/api/prompts', { prompt_name: 'instant', inputs: { a: 1 } }, 1],
    ['a job', '/api/jobs', { pipeline_name: 'instant', inputs: { a: 1 } }, 1],
    ['a replay', `/api/jobs/${jobId}/replay`, { reexecute: true }, 1],
    ['a batch', '/api/agents/instant/batch', { tasks: [{ n: 1 }, { n: 2 }] }, 2],
    ['a batch that waits', '/api/agents/instant/batch', { tasks: [{ n: 1 }, { n: 2 }], wait: true }, 2],
    ['added tasks', `/api/batches/${batchId}/add-tasks`, { agent_name: 'instant', tasks: [{ n: 1 }] }, 1],
    ['a chat message', '/api/agents/instant/chat', { message: 'hi' }, 1],
  ]

  it('returns the first response for repeated and concurrent requests of every submission', async () => {
    for (const [name, path, body, started] of submissions()) {
      const before = await executions()
      const key = randomUUID()
      const first = await post(path, body, key)
      expect(first.status, name).to.equal(200)
      const again = await post(path, body, key)
      expect(again.status).to.equal(200)
      expect(again.body, name).to.deep.equal(first.body)
      expect(await executions(), name).to.equal(before + started)
      const other = randomUUID()
      const answers = await Promise.all([1, 2, 3].map(() => post(path, body, other)))
      for (const answer of answers) expect(answer.body, name).to.deep.equal(answers[0]?.body)
      expect(answers[0]?.body).not.to.deep.equal(first.body)
      expect(await executions(), name).to.equal(before + 2 * started)
    }
  })

  it('makes a second request wait for the response of the first', async () => {
    const gate = randomUUID()
    const key = randomUUID()
    const body = { pipeline_name: 'gated', inputs: { gate, value: 5 } }
    const first = post('/api/jobs', body, key)
    await eventually(
      () => service.store.executions.countDocuments({ prompt_name: 'gated' }),
      (count) => count === 1,
    )
    const second = post('/api/jobs', body, key)
    const conflict = await post('/api/jobs', { ...body, inputs: { gate, value: 6 } }, key)
    expect(conflict.status).to.equal(409)
    await service.open(gate)
    const [one, other] = await Promise.all([first, second])
    expect(one.body.result).to.deep.equal({ value: 5 })
    expect(other.body).to.deep.equal(one.body)
    expect(await service.store.executions.countDocuments({ prompt_name: 'gated' })).to.equal(1)
  })

  it('is refused with another body, for every submission', async () => {
    for (const [name, path, body] of submissions()) {
      const key = randomUUID()
      await post(path, body, key)
      const { status, body: answer } = await post(path, { ...body, more: 1 }, key)
      expect(status, name).to.equal(409)
      expect(answer.detail).to.contain('Idempotency-Key')
    }
  })

  it('belongs to one path and one API key', async () => {
    const key = randomUUID()
    const body = { prompt_name: 'instant', pipeline_name: 'instant', inputs: {} }
    const prompt = await post('/api/prompts', body, key)
    const job = await post('/api/jobs', body, key)
    expect(job.body.job_id).not.to.equal(prompt.body.prompt_id)
    const other = await post('/api/prompts', body, key, { 'x-api-key': 'two' })
    expect(other.body.prompt_id).not.to.equal(prompt.body.prompt_id)
    const bearer = { 'x-api-key': '', authorization: 'Bearer one' }
    expect((await post('/api/prompts', body, key, bearer)).body).to.deep.equal(prompt.body)
  })

  it('can be reused after a rejected request', async () => {
    for (const refused of [{ prompt_name: 'nobody', inputs: {} }, { prompt_name: 'instant' }, '{']) {
      const key = randomUUID()
      const before = await executions()
      expect((await post('/api/prompts', refused, key)).status).to.be.oneOf([400, 404])
      expect((await post('/api/prompts', { prompt_name: 'instant', inputs: {} }, key)).status).to.equal(200)
      expect(await executions()).to.equal(before + 1)
    }
    const key = randomUUID()
    const unknown = await post(`/api/batches/${randomUUID()}/add-tasks`, { agent_name: 'instant', tasks: [{}] }, key)
    expect(unknown.status).to.equal(404)
  })

  it('must be 1 to 255 printable characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'schl\u00fcssel']) {
      const { status, body } = await post('/api/prompts', { prompt_name: 'instant', inputs: {} }, key)
      expect(status, key).to.equal(400)
      expect(body.detail).to.contain('Idempotency-Key')
    }
    expect((await post('/api/prompts', { prompt_name: 'instant', inputs: {} }, 'x'.repeat(255))).status).to.equal(200)
  })

  it('returns the same response for failed work', async () => {
    const key = randomUUID()
    const body = { pipeline_name: 'failing', inputs: {} }
    const first = await post('/api/jobs', body, key)
    expect(first.body.status).to.equal('error')
    expect((await post('/api/jobs', body, key)).body).to.deep.equal(first.body)
  })

  it('returns the same large response', async () => {
    const key = randomUUID()
    const body = { pipeline_name: 'big', inputs: { bytes: 2_000_000 } }
    const first = await post('/api/jobs', body, key)
    expect(first.body.result.text).to.have.length(2_000_000)
    const again = await post('/api/jobs', body, key)
    expect(again.body.job_id).to.equal(first.body.job_id)
    expect(again.body.result.text === first.body.result.text).to.equal(true)
  })

  it('reports that the job or batch has been deleted', async () => {
    const batch = { tasks: [{ n: 1 }, { n: 2 }], wait: true }
    const calls: [path: string, body: object, place: (answer: Answer['body']) => string][] = [
      ['/api/jobs', { pipeline_name: 'instant', inputs: {} }, ({ job_id }) => `/api/jobs/${job_id}`],
      ['/api/agents/instant/chat', { message: 'hi' }, ({ task_id }) => `/api/jobs/${task_id}`],
      ['/api/agents/instant/batch', batch, ({ batch_id }) => `/api/batches/${batch_id}`],
    ]
    for (const [path, body, place] of calls) {
      const key = randomUUID()
      const first = await post(path, body, key)
      expect((await service.request('DELETE', place(first.body))).status, path).to.equal(200)
      expect((await post(path, body, key)).status, path).to.equal(404)
    }
  })

  it('returns the same job to a client that reconnects', async () => {
    const gate = randomUUID()
    const key = randomUUID()
    const body = { pipeline_name: 'gated', inputs: { gate, value: 1 } }
    const sent = httpRequest(`${service.api.url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'one', 'idempotency-key': key },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify(body))
    const found = await eventually(
      () => service.store.executions.findOne({ 'inputs.json': { $regex: gate } } as object),
      (execution) => execution !== null,
    )
    sent.destroy()
    await eventually(
      () => service.store.idempotency.findOne({ leased_until: new Date(0) }),
      (givenBack) => givenBack !== null,
    )
    expect((await post('/api/jobs', { ...body, inputs: { gate, value: 2 } }, key)).status).to.equal(409)
    const again = post('/api/jobs', body, key)
    await service.open(gate)
    expect((await again).body).to.include({ job_id: found?._id, status: 'success' })
  })

  it('starts nothing twice when the API is killed before it answers', async () => {
    const gate = randomUUID()
    const batch = {
      tasks: [
        { gate, value: 1 },
        { gate, value: 2 },
      ],
      wait: true,
    }
    const calls: [string, object][] = [
      ['/api/jobs', { pipeline_name: 'gated', inputs: { gate, value: 0 } }],
      ['/api/agents/gated/batch', batch],
      [`/api/batches/${batchId}/add-tasks`, { agent_name: 'gated', ...batch }],
      ['/api/agents/gated/batch', { ...batch, batch_id: randomUUID() }],
    ]
    const keys = calls.map(() => randomUUID())
    const filter = { 'inputs.json': { $regex: gate } } as object
    const first = Promise.allSettled(calls.map(([path, body], index) => post(path, body, keys[index] ?? '')))
    const before = await eventually(
      () => service.store.executions.find(filter).toArray(),
      (all) => all.length === 7,
    )
    await service.api.kill9()
    for (const outcome of await first) expect(outcome.status).to.equal('rejected')
    await service.api.restart()
    const again = Promise.all(calls.map(([path, body], index) => post(path, body, keys[index] ?? '')))
    await service.open(gate)
    const answers = await again
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    const after = await service.store.executions.find(filter).toArray()
    expect(after.map(({ _id }) => _id).sort()).to.deep.equal(before.map(({ _id }) => _id).sort())
    const ids = answers.flatMap(({ body }) => body.added_job_ids ?? body.job_ids ?? [body.job_id]) as string[]
    expect(ids.sort()).to.deep.equal(before.map(({ _id }) => _id).sort())
    for (const id of ids) expect((await untilEnded(service, id)).body.status).to.equal('completed')
    for (const id of ids) expect(await service.counted(id)).to.deep.equal(['begin', 'end'])
    const ended = await (
      await conforming(service.api.url)
    )('GET', `/api/batches/${batchId}`, undefined, {
      'x-api-key': 'one',
    })
    const { total_expected, recorded } = ended.body.outputs.summary
    expect(recorded).to.equal(total_expected)
  })
})
