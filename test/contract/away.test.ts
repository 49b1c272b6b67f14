import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { freezeWhole } from '../support/freeze.ts'
import { revive } from '../support/revive.ts'
import { eventually, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { startScene } from './scene.ts'

const id = randomUUID()
const SUBMISSIONS: [string, object][] = [
  ['/api/prompts', { prompt_name: 'instant', inputs: {} }],
  ['/api/jobs', { pipeline_name: 'instant', inputs: {} }],
  ['/api/agents/instant/batch', { tasks: [{}] }],
  ['/api/agents/instant/chat', { message: 'x' }],
]
const LOOKUPS = [
  `/api/prompts/${id}`,
  '/api/prompts',
  '/api/jobs',
  `/api/jobs/${id}`,
  '/api/batches',
  `/api/batches/${id}`,
  '/api/agents',
  '/api/agents/instant/tools',
  '/api/traces',
  '/api/traces/grouped',
  '/api/traces/1',
  '/api/metrics',
  `/api/responses/${id}/resolved`,
]

describe('While a server is unavailable', function () {
  this.timeout(180_000)
  let stack: PrivateStack
  let service: TestService
  const post = (path: string, body?: unknown) => service.request('POST', path, body)
  const isAway = ({ status, headers, body }: Answer, what: string) => {
    expect(status, what).to.equal(503)
    expect(Number(headers.get('retry-after')), what).to.be.above(0)
    expect(body.detail, what).to.contain('cannot be reached')
  }

  before(async () => {
    stack = await startStack()
    service = await startScene({ stack: stack.env })
  })
  afterEach(() => revive(...Object.values(stack.servers), service.api, service.worker))
  after(async () => {
    await service.stop()
    await stack.stop()
  })

  it('Temporal: submissions fail without leaving anything, and other requests work', async () => {
    const { batch_id } = (await post('/api/agents/instant/batch', { tasks: [{}], wait: true })).body
    const { prompt_id } = (await post('/api/prompts', { prompt_name: 'patient', inputs: {} })).body
    await eventually(
      () => service.counted(prompt_id),
      (lines) => lines.length > 0,
    )
    const before = await service.store.executions.countDocuments()
    const total = (await service.request('GET', '/api/jobs')).body.total as number
    await stack.servers.temporal.kill()
    const calls = [
      ...SUBMISSIONS,
      [`/api/batches/${batch_id}/add-tasks`, { agent_name: 'instant', tasks: [{}] }],
    ] as const
    await Promise.all(calls.map(async ([path, body]) => isAway(await post(path, body), path)))
    isAway(await service.request('GET', '/api/agents/instant/chat?message=x'), 'chat by query')
    expect(await service.store.executions.countDocuments()).to.equal(before)
    expect((await service.request('GET', '/api/jobs')).body.total).to.equal(total)
    expect((await service.request('GET', `/api/batches/${batch_id}`)).body.task_count).to.equal(1)
    for (const path of ['/api/prompts', '/api/agents', '/api/traces/grouped', `/api/jobs/${prompt_id}`]) {
      expect((await service.request('GET', path)).status, path).to.equal(200)
    }
    expect((await post(`/api/prompts/${prompt_id}/cancel`)).body).to.deep.equal({
      ok: true,
      prompt_id,
      status: 'canceled',
    })
    await stack.servers.temporal.restart()
    expect((await untilEnded(service, prompt_id)).body.status).to.equal('canceled')
    await eventually(
      () => post('/api/jobs', { pipeline_name: 'instant', inputs: { a: 1 } }),
      ({ status, body }) => status === 200 && body.status === 'success',
    )
  })

  it('Temporal: a second attempt does not undo what the first has started', async () => {
    const keyed = { 'idempotency-key': randomUUID() }
    const body = { pipeline_name: 'instant', inputs: { tag: randomUUID() } }
    const filter = { 'inputs.json': { $regex: body.inputs.tag } } as object
    await service.worker.kill9()
    const leaving = new AbortController()
    const first = fetch(`${service.api.url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyed },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => undefined)
    const begun = await eventually(
      () => service.store.executions.findOne(filter),
      (execution) => execution !== null,
    )
    await eventually(
      () => service.api.logs(),
      (logs) => logs.includes(`"job_id":"${begun?._id}"`),
    )
    leaving.abort()
    await first
    await stack.servers.temporal.kill()
    const second = service.request('POST', '/api/jobs', body, keyed)
    await eventually(
      () => service.store.idempotency.findOne({ facts: null, leased_until: { $gt: new Date() } }),
      (lease) => lease !== null,
    )
    // The second try finds Temporal away after five seconds; what it then does shows in what is left.
    await eventually(
      () => service.api.logs(),
      (logs) => logs.split(`"job_id":"${begun?._id}"`).length > 2 || logs.includes('"status":503'),
    )
    expect((await service.request('GET', `/api/jobs/${begun?._id}`)).body.status).to.equal('running')
    await stack.servers.temporal.restart()
    await service.worker.restart()
    expect((await second).body).to.include({ job_id: begun?._id, status: 'success' })
    expect(await service.store.executions.countDocuments(filter)).to.equal(1)
  })

  it('MongoDB: everything but health is 503 with Retry-After, and works again afterwards', async () => {
    await stack.servers.mongod.kill()
    const requests = [
      ...LOOKUPS.map((path) => ['GET', path, undefined] as const),
      ...SUBMISSIONS.map(([path, body]) => ['POST', path, body] as const),
      ['POST', `/api/prompts/${id}/cancel`, undefined] as const,
      ['POST', `/api/batches/${id}/cancel`, undefined] as const,
      ['POST', `/api/jobs/${id}/replay`, {}] as const,
    ]
    await Promise.all(
      requests.map(async ([method, path, body]) =>
        isAway(await service.request(method, path, body), `${method} ${path}`),
      ),
    )
    const keyed = { 'idempotency-key': randomUUID() }
    isAway(await service.request('POST', '/api/prompts', SUBMISSIONS[0]?.[1], keyed), 'with an Idempotency-Key')
    expect((await post('/api/prompts', {})).status).to.equal(400)
    expect((await service.request('GET', '/api/nothing')).status).to.equal(404)
    await stack.servers.mongod.restart()
    const { body } = await eventually(
      () => service.request('POST', '/api/jobs', SUBMISSIONS[1]?.[1], keyed),
      ({ status }) => status === 200,
    )
    expect(body.status).to.equal('success')
    for (const path of LOOKUPS) {
      expect((await service.request('GET', path)).status, path).to.be.oneOf(path.includes(id) ? [404] : [200, 404])
    }
  })

  it('MongoDB is frozen: a cancel and a lookup fail within seconds', async () => {
    const { prompt_id } = (await post('/api/prompts', { prompt_name: 'patient', inputs: {} })).body
    await eventually(
      () => service.counted(prompt_id),
      (lines) => lines.length > 0,
    )
    const pid = stack.servers.mongod.pid as number
    await freezeWhole(pid)
    try {
      const startedAt = Date.now()
      const answers = await Promise.all([
        post(`/api/prompts/${prompt_id}/cancel`),
        service.request('GET', `/api/prompts/${prompt_id}`),
        service.request('GET', '/api/batches'),
      ])
      for (const answer of answers) isAway(answer, 'while it is frozen')
      expect(Date.now() - startedAt).to.be.below(25_000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const canceled = await eventually(
      () => post(`/api/prompts/${prompt_id}/cancel`),
      ({ status }) => status === 200,
    )
    expect(canceled.body.status).to.equal('canceled')
  })

  it('MongoDB is frozen: submissions fail within seconds, also with an Idempotency-Key', async () => {
    const keyed = { 'idempotency-key': randomUUID() }
    const pid = stack.servers.mongod.pid as number
    await freezeWhole(pid)
    try {
      const startedAt = Date.now()
      const answers = await Promise.all([
        ...SUBMISSIONS.map(([path, body]) => post(path, body)),
        service.request('POST', '/api/prompts', SUBMISSIONS[0]?.[1], keyed),
      ])
      for (const answer of answers) isAway(answer, 'while it is frozen')
      expect(Date.now() - startedAt).to.be.below(30_000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await eventually(
      () => service.request('POST', '/api/prompts', SUBMISSIONS[0]?.[1], keyed),
      ({ status }) => status === 200,
    )
  })

  it('MongoDB: a waiting job request is answered when MongoDB is back', async () => {
    const gate = randomUUID()
    const waiting = post('/api/jobs', { pipeline_name: 'gated', inputs: { gate, value: 1 } })
    await eventually(
      () => service.store.executions.findOne({ 'inputs.json': { $regex: gate } } as object),
      (execution) => execution?.started_at !== undefined,
    )
    await stack.servers.mongod.kill()
    await service.open(gate)
    await stack.servers.mongod.restart()
    expect((await waiting).body).to.deep.include({ status: 'success', result: { value: 1 } })
  })

  it('MongoDB: an API that starts first serves a job when MongoDB is up', async () => {
    await service.api.kill9()
    await stack.servers.mongod.kill()
    await service.api.restart()
    await stack.servers.mongod.restart()
    // Nobody tells when the change stream opens: jobs that end before and after it must both be answered.
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { body } = await eventually(
          () => post('/api/jobs', { pipeline_name: 'instant', inputs: { n } }),
          ({ status }) => status === 200,
          90_000,
        )
        return body.result.n as number
      }),
    )
    expect(answers).to.deep.equal(Array.from({ length: 40 }, (_, n) => n))
  })

  it('MongoDB: an API and a worker that start long before it work when it is up', async () => {
    await Promise.all([service.api.kill9(), service.worker.kill9(), stack.servers.mongod.kill()])
    const starting = service.worker.restart()
    await service.api.restart()
    // Both have given up their first attempt to connect.
    isAway(await service.request('GET', '/api/jobs'), 'jobs')
    await eventually(
      () => service.worker.logs(),
      (logs) => logs.includes('waiting for MongoDB'),
    )
    await stack.servers.mongod.restart()
    await starting
    const { body } = await eventually(
      () => post('/api/jobs', { pipeline_name: 'instant', inputs: { n: 1 } }),
      ({ status }) => status === 200,
      60_000,
    )
    expect(body).to.deep.include({ status: 'success', result: { n: 1 } })
  })
})
