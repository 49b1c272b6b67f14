import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const MAX = 20

describe('A backlog that is full', function () {
  this.timeout(120_000)
  let service: TestService
  const gate = randomUUID()
  const post = (path: string, body: unknown) => service.request('POST', path, body)

  before(async () => {
    service = await startScene({ env: { MAX_BACKLOG: String(MAX) } })
  })
  after(() => service.stop())

  it('rejects submissions before the body has arrived, and still returns responses of accepted ones', async () => {
    const [held, keyed] = [randomUUID(), { 'idempotency-key': randomUUID() }]
    const prompt = { prompt_name: 'gated', inputs: { gate: held } }
    const first = await service.request('POST', '/api/prompts', prompt, keyed)
    expect(first.status).to.equal(200)
    await post('/api/agents/gated/batch', { tasks: Array.from({ length: MAX - 1 }, () => ({ gate: held })) })
    const socket = connect(service.api.port, '127.0.0.1').setEncoding('utf8')
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000'
    socket.write(`POST /api/prompts HTTP/1.1\r\n${head}\r\n\r\n{"prompt_name"`)
    const [answer] = (await once(socket, 'data')) as [string]
    socket.destroy()
    expect(answer).to.match(/^HTTP\/1.1 503 [^]*Retry-After/)
    const again = await service.request('POST', '/api/prompts', prompt, keyed)
    expect([again.status, again.body]).to.deep.equal([200, first.body])
    expect((await post(`/api/jobs/${first.body.prompt_id}/replay`, undefined)).status).to.equal(200)
    await service.open(held)
    await eventually(
      () => service.store.executions.countDocuments({ status: 'running' }),
      (left) => left === 0,
    )
    await service.store.executions.deleteMany({})
    await eventually(
      () => post('/api/jobs', { pipeline_name: 'instant', inputs: {} }),
      ({ status }) => status === 200,
    )
    await service.store.executions.deleteMany({})
  })

  it('does not count what was never accepted', async () => {
    const tasks = Array.from({ length: MAX + 1 }, () => ({}))
    const unknown = await post(`/api/batches/${randomUUID()}/add-tasks`, { agent_name: 'instant', tasks })
    expect(unknown.status).to.equal(404)
    const { batch_id } = (await post('/api/agents/gated/batch', { tasks: [{ gate: randomUUID() }] })).body
    await post(`/api/batches/${batch_id}/cancel`, undefined)
    const canceled = await post(`/api/batches/${batch_id}/add-tasks`, { agent_name: 'instant', tasks })
    expect(canceled.status).to.equal(400)
    expect((await post('/api/jobs', { pipeline_name: 'instant', inputs: {} })).status).to.equal(200)
    await service.store.executions.deleteMany({})
  })

  it('rejects work of every kind, serves reads, and accepts work again when some has ended', async () => {
    const { body: batch } = await post('/api/agents/gated/batch', {
      tasks: Array.from({ length: MAX }, () => ({ gate })),
    })
    expect(batch.status).to.equal('submitted')
    const submissions: [string, object][] = [
      ['/api/prompts', { prompt_name: 'instant', inputs: {} }],
      ['/api/jobs', { pipeline_name: 'instant', inputs: {} }],
      ['/api/agents/instant/chat', { message: 'x' }],
      ['/api/agents/instant/batch', { tasks: [{}] }],
      [`/api/batches/${batch.batch_id}/add-tasks`, { agent_name: 'instant', tasks: [{}] }],
      [`/api/jobs/${batch.job_ids[0]}/replay`, { reexecute: true }],
    ]
    // Counted anew before the third round: what the database says is heeded as well as what was accepted here.
    for (const wait of [0, 0, 1_500]) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      for (const [path, body] of submissions) {
        const answer = await post(path, body)
        expect(answer.status, path).to.equal(503)
        expect(Number(answer.headers.get('retry-after')), path).to.be.above(0)
        expect(answer.body.detail, path).to.contain(`${MAX} executions are waiting or running`)
      }
    }
    expect((await service.request('GET', '/api/health')).body.status).to.equal('ok')
    expect((await service.request('GET', `/api/batches/${batch.batch_id}`)).body.task_count).to.equal(MAX)
    expect(await service.store.executions.countDocuments()).to.equal(MAX)
    await service.open(gate)
    const job = await eventually(
      () => post('/api/jobs', { pipeline_name: 'instant', inputs: { n: 1 } }),
      ({ status }) => status === 200,
    )
    expect(job.body.status).to.equal('success')
  })
})
