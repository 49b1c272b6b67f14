import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { freezeWhole } from '../support/freeze.ts'
import { request, untilEnded, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { startScene } from './scene.ts'

const LIMIT_BYTES = 102_400

describe('Responses', function () {
  this.timeout(180_000)
  let stack: PrivateStack
  let service: TestService
  const get = (path: string) => service.request('GET', path)
  const resolved = (id: string) => get(`/api/responses/${id}/resolved`)
  const submit = async (prompt_name: string, inputs: unknown): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  /** An answer of the agent `big` whose JSON has this many bytes. */
  const bytes = (total: number) => ({ bytes: total - '{"text":""}'.length })

  before(async () => {
    stack = await startStack()
    service = await startScene({ stack: stack.env, env: { MAX_BODY_BYTES: '67108864' } })
  })
  after(async () => {
    await service.stop()
    await stack.stop()
  })

  it('are inline up to the limit, and offloaded above it', async () => {
    const small = await submit('big', bytes(LIMIT_BYTES))
    const large = await submit('big', bytes(LIMIT_BYTES + 1))
    await Promise.all([small, large].map((id) => untilEnded(service, id)))
    const inline = (await resolved(small)).body
    expect(inline).to.deep.include({ task_id: small, offloaded: false, pointer: null })
    expect(inline.data.text).to.have.length(LIMIT_BYTES - 11)
    const { body } = await resolved(large)
    expect(body).to.deep.include({ task_id: large, offloaded: true })
    expect(Object.keys(body.pointer).sort()).to.deep.equal(['bucket', 'key', 'size_bytes'])
    expect(body.pointer).to.include({ bucket: stack.env.S3_BUCKET, size_bytes: LIMIT_BYTES + 1 })
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/')
    expect(body.pointer.key).to.match(new RegExp(`^responses/${day}/${large}\\.[0-9a-f]{8}\\.json$`))
    expect(body.data.text).to.have.length(LIMIT_BYTES - 10)
  })

  it('are offloaded for every kind; one is given whole, lists and batches show pointers', async () => {
    const inputs = bytes(200_000)
    const job = (await service.request('POST', '/api/jobs', { pipeline_name: 'big', inputs })).body
    expect(job.result.text).to.have.length(inputs.bytes)
    expect((await get(`/api/jobs/${job.job_id}`)).body.outputs.text).to.have.length(inputs.bytes)
    expect((await get(`/api/prompts/${job.job_id}`)).body.outputs.text).to.have.length(inputs.bytes)
    const stored = await service.request('POST', `/api/jobs/${job.job_id}/replay`)
    expect(stored.body.result.text).to.have.length(inputs.bytes)
    const chat = await service.request('POST', '/api/agents/instant/chat', { message: 'm'.repeat(200_000) })
    expect(chat.body.response.message).to.have.length(200_000)
    const batch = (await service.request('POST', '/api/agents/big/batch', { tasks: [inputs, bytes(20)], wait: true }))
      .body
    const [large, small] = batch.job_ids as [string, string]
    for (const id of [job.job_id, chat.body.task_id, large]) {
      const { body } = await resolved(id)
      expect([body.offloaded, body.pointer.key.split('/')[0]]).to.deep.equal([true, 'responses'])
    }
    const { pointer } = (await resolved(large)).body
    expect(batch.results[0].response).to.deep.equal({ offloaded: true, pointer })
    const { body } = await get(`/api/batches/${batch.batch_id}`)
    expect(body.outputs.results[large]).to.deep.equal({ status: 'success', response: { offloaded: true, pointer } })
    expect(body.outputs.results[small].response.result.text).to.have.length(9)
    expect(body.outputs.summary.succeeded).to.equal(2)
  })

  it('give large inputs back whole, also those of a batch', async () => {
    const text = '\u{1f40d}"\\\u0000'.repeat(40_000)
    const id = await submit('instant', { text })
    expect((await untilEnded(service, id)).body.inputs).to.deep.equal({ text })
    const { batch_id } = (
      await service.request('POST', '/api/agents/surround/batch', { tasks: [{ a: 1 }, { text }], wait: true })
    ).body
    expect((await get(`/api/batches/${batch_id}`)).body.inputs.tasks).to.deep.equal([{ a: 1 }, { text }])
  })

  it('return 404 with a reason before the end', async () => {
    const id = await submit('patient', {})
    const early = await resolved(id)
    expect(early.status).to.equal(404)
    expect(early.body.detail).to.contain('not ended')
    await service.open(id)
    await untilEnded(service, id)
    expect((await resolved(id)).body.data).to.deep.equal({ message: 'at last' })
    const unknown = await resolved(randomUUID())
    expect(unknown.status).to.equal(404)
    expect(unknown.body.detail).not.to.contain('not ended')
  })

  it('are the error of a failed run', async () => {
    const id = await submit('failing', { message: 'no' })
    await untilEnded(service, id)
    expect((await resolved(id)).body).to.deep.equal({
      task_id: id,
      offloaded: false,
      pointer: null,
      data: { error: 'no' },
    })
  })

  it('of 50 MB are returned whole', async () => {
    const text = 'x'.repeat(50_000_000)
    const id = await submit('instant', { text })
    const ended = await untilEnded(
      {
        request: async () => {
          const { jobs } = (await get('/api/jobs?limit=1')).body
          return { status: 200, headers: new Headers(), body: jobs[0] }
        },
      },
      id,
    )
    expect(ended.body).to.include({ job_id: id, status: 'completed' })
    const { body } = await resolved(id)
    expect(body.pointer.size_bytes).to.equal(text.length + '{"text":""}'.length)
    expect(body.data.text === text).to.equal(true)
    const whole = await request(service.api.url, 'GET', `/api/prompts/${id}`)
    expect(whole.body.inputs.text === text && whole.body.outputs.text === text).to.equal(true)
  })

  it('return 502 while the object store hangs', async () => {
    const id = await submit('big', bytes(200_000))
    await untilEnded(service, id)
    const pid = stack.servers.s3.pid ?? expect.fail('there is no object store')
    await freezeWhole(pid)
    try {
      const paths = [`/api/responses/${id}/resolved`, `/api/prompts/${id}`, `/api/jobs/${id}`]
      const answers = await Promise.all(paths.map(get))
      expect(answers.map(({ status }) => status)).to.deep.equal([502, 502, 502])
      for (const { body } of answers) expect(body.detail).to.contain('could not give')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect((await resolved(id)).status).to.equal(200)
  })

  it('return 502 while the object store is down; runs that need to store objects wait', async () => {
    const gate = randomUUID()
    const large = await submit('big', bytes(200_000))
    const small = await submit('big', bytes(100))
    await Promise.all([large, small].map((id) => untilEnded(service, id)))
    const { batch_id } = (
      await service.request('POST', '/api/agents/surround/batch', {
        tasks: [{ text: 'x'.repeat(200_000) }],
        wait: true,
      })
    ).body
    const waiting = await submit('gated', { gate, value: null })
    const traces = (await get(`/api/traces?job_id=${large}`)).body.traces as { id: number }[]
    await stack.servers.s3.kill()

    for (const path of [
      `/api/responses/${large}/resolved`,
      `/api/prompts/${large}`,
      `/api/jobs/${large}`,
      `/api/traces/${traces[1]?.id}`,
      `/api/batches/${batch_id}`,
    ]) {
      const { status, body } = await get(path)
      expect(status, path).to.equal(502)
      expect(body.detail).to.be.a('string')
    }
    expect((await service.request('POST', `/api/jobs/${large}/replay`)).status).to.equal(502)
    expect((await resolved(small)).body.data.text).to.have.length(89)
    for (const path of [
      '/api/prompts',
      '/api/jobs',
      '/api/batches',
      '/api/traces',
      '/api/traces/grouped',
      '/api/metrics',
    ]) {
      expect((await get(path)).status, path).to.equal(200)
    }
    const refused = await service.request('POST', '/api/prompts', {
      prompt_name: 'instant',
      inputs: { text: 'x'.repeat(200_000) },
    })
    expect(refused.status).to.equal(502)

    const late = await submit('big', bytes(300_000))
    await service.open(gate)
    expect((await untilEnded(service, waiting)).body.status).to.equal('completed')
    expect((await get(`/api/prompts/${late}`)).body.status).to.equal('running')
    await stack.servers.s3.restart()
    const { body } = await untilEnded(service, late)
    expect(body.status).to.equal('completed')
    expect((await resolved(late)).body.data.text).to.have.length(299_989)
    expect((await resolved(large)).status).to.equal(200)
  })
})
