import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { eventually, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Jobs', function () {
  this.timeout(120_000)
  let service: TestService
  const run = (pipeline_name: string, inputs: unknown) =>
    service.request('POST', '/api/jobs', { pipeline_name, inputs })
  const get = (path: string) => service.request('GET', path)
  /** The newest execution of an agent, once it runs. */
  const runningOf = async (agent: string, gate: string): Promise<string> => {
    const holds = { prompt_name: agent, 'inputs.json': { $regex: gate } }
    const found = await eventually(
      () => service.store.executions.findOne(holds, { projection: { started_at: 1 } }),
      (execution) => execution?.started_at !== undefined,
    )
    return found?._id ?? ''
  }

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('block until the end', async () => {
    const { status, body } = await run('instant', { a: 1 })
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      job_id: body.job_id,
      status: 'success',
      result: { a: 1 },
      error: null,
      duration_ms: body.duration_ms,
      agent: 'instant',
    })
    const stored = await get(`/api/jobs/${body.job_id}`)
    const { created_at, completed_at } = stored.body
    expect(stored.body).to.deep.equal({
      job_id: body.job_id,
      status: 'completed',
      pipeline_name: 'instant',
      inputs: { a: 1 },
      outputs: { a: 1 },
      error: null,
      kind: 'job',
      mode: 'single',
      agents: ['instant'],
      batch_id: null,
      replay_of: null,
      started_at: stored.body.started_at,
      created_at,
      completed_at,
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, by_model: [] },
      cost: { usd: 0, complete: true, by_model: [] },
      budget: null,
      submitted_by: null,
    })
    expect(body.duration_ms).to.equal(Date.parse(completed_at) - Date.parse(created_at))
  })

  it('wrap a result that is not an object', async () => {
    expect((await run('upper', { text: 'abc' })).body.result).to.deep.equal({ result: 'ABC' })
  })

  it('contain the token usage of a model agent', async () => {
    const { body } = await run('reckoner', { n: 4 })
    expect(body.result).to.deep.equal({ result: '16' })
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }
    expect((await get(`/api/jobs/${body.job_id}`)).body.token_usage).to.deep.equal({
      ...usage,
      by_model: [{ provider: 'scripted', model: 'scripted', ...usage, calls: 2 }],
    })
  })

  it('answer 200 with status error when the agent fails', async () => {
    const { status, body } = await run('failing', { message: 'no luck' })
    expect(status).to.equal(200)
    expect(body).to.include({ status: 'error', error: 'no luck', agent: 'failing' })
    expect(body.result).to.deep.equal({ error: 'no luck' })
    const stored = (await get(`/api/jobs/${body.job_id}`)).body
    expect(stored).to.include({ status: 'failed', error: 'no luck' })
    expect(stored.outputs).to.deep.equal({ error: 'no luck' })
  })

  it('are canceled while their submitter waits', async () => {
    const gate = randomUUID()
    const waiting = run('gated', { gate })
    const id = await runningOf('gated', gate)
    const running = (await get(`/api/jobs/${id}`)).body
    expect(running).to.include({ status: 'running', outputs: null, error: null, completed_at: null })
    expect((await service.request('POST', `/api/jobs/${id}/cancel`)).body).to.deep.equal({
      ok: true,
      job_id: id,
      status: 'canceled',
    })
    const { status, body } = await waiting
    expect(status).to.equal(200)
    expect(body).to.include({ job_id: id, status: 'canceled', result: null, error: null })
    await untilEnded(service, id)
    const resolved = await get(`/api/responses/${id}/resolved`)
    expect(resolved.body).to.deep.equal({ task_id: id, offloaded: false, pointer: null, data: null })
    await service.open(gate)
    expect((await service.request('POST', `/api/jobs/${id}/cancel`)).body.ok).to.equal(true)
  })

  it('cannot be canceled when they have ended, or are unknown', async () => {
    const { body } = await run('instant', {})
    expect((await service.request('POST', `/api/jobs/${body.job_id}/cancel`)).body).to.deep.equal({
      ok: false,
      job_id: body.job_id,
      status: 'completed',
    })
    expect((await service.request('POST', `/api/jobs/${randomUUID()}/cancel`)).status).to.equal(404)
  })

  it('continue when the connection is lost', async () => {
    const gate = randomUUID()
    const sent = httpRequest(`${service.api.url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify({ pipeline_name: 'gated', inputs: { gate, value: 7 } }))
    const id = await runningOf('gated', gate)
    sent.destroy()
    await service.open(gate)
    expect((await untilEnded(service, id)).body).to.deep.include({ status: 'completed', outputs: { value: 7 } })
  })

  describe('replayed', () => {
    let first: Answer
    before(async () => {
      first = await run('instant', { $set: { 'a.b': '\u0000' } })
    })
    const replay = (id: string, body?: unknown) => service.request('POST', `/api/jobs/${id}/replay`, body)

    it('return the stored result unless reexecute is true', async () => {
      const { job_id } = first.body
      const stored = (await get(`/api/jobs/${job_id}`)).body
      for (const body of [undefined, {}, { reexecute: false }]) {
        const answer = await replay(job_id, body)
        expect(answer.status).to.equal(200)
        expect(answer.body).to.deep.equal({
          job_id,
          status: 'completed',
          result: { $set: { 'a.b': '\u0000' } },
          error: null,
          pipeline_name: 'instant',
          created_at: stored.created_at,
          completed_at: stored.completed_at,
        })
      }
    })

    it('run again with the same inputs as a new execution', async () => {
      const { job_id } = first.body
      const { body } = await replay(job_id, { reexecute: true })
      expect(body.job_id).not.to.equal(job_id)
      expect(body).to.deep.equal({ ...first.body, ...body, replay_of: job_id, status: 'success' })
      expect((await get(`/api/jobs/${body.job_id}`)).body.inputs).to.deep.equal({ $set: { 'a.b': '\u0000' } })
      expect((await get(`/api/jobs/${job_id}`)).body.outputs).to.deep.equal({ $set: { 'a.b': '\u0000' } })
    })

    it('run a whole chain again, and fail again', async () => {
      const chain = { prompt_name: 'upper', inputs: { text: 'x' }, mode: 'sequential', agents: ['upper', 'failing'] }
      const { prompt_id } = (await service.request('POST', '/api/prompts', chain)).body
      await untilEnded(service, prompt_id)
      const { body } = await replay(prompt_id, { reexecute: true })
      expect(body).to.include({ status: 'error', replay_of: prompt_id, agent: 'upper' })
      expect(body.error).to.contain('failing')
    })

    it('have no result while they run', async () => {
      const gate = randomUUID()
      const { prompt_id } = (await service.request('POST', '/api/prompts', { prompt_name: 'gated', inputs: { gate } }))
        .body
      const { body } = await replay(prompt_id)
      expect(body).to.include({ status: 'running', result: null, error: null, completed_at: null })
      await service.open(gate)
      await untilEnded(service, prompt_id)
    })

    it('return 404 for unknown ids and 400 for invalid bodies', async () => {
      for (const body of [undefined, { reexecute: true }]) {
        expect((await replay(randomUUID(), body)).status).to.equal(404)
      }
      const { status, body } = await replay(first.body.job_id, { reexecute: 'yes' })
      expect(status).to.equal(400)
      expect(body.detail).to.contain('reexecute')
    })
  })

  it('have a total that respects the filter and deletions', async () => {
    const total = async (query: string): Promise<number> => (await get(`/api/jobs?limit=1${query}`)).body.total
    const [all, tasks] = [await total(''), await total('&kind=task')]
    const { job_id } = (await run('instant', {})).body
    await service.request('POST', '/api/agents/instant/batch', { tasks: [{}, {}], wait: true })
    expect([await total(''), await total('&kind=task')]).to.deep.equal([all + 3, tasks + 2])
    const { total_jobs } = (await get('/api/metrics')).body
    expect((await service.request('DELETE', `/api/jobs/${job_id}`)).status).to.equal(200)
    expect(await total('')).to.equal(all + 2)
    expect(await total(`&id_prefix=${job_id}`)).to.equal(0)
    expect((await get('/api/metrics')).body.total_jobs).to.equal(total_jobs)
    const listed: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get(`/api/jobs?limit=50${cursor && `&cursor=${cursor}`}`)
      listed.push(...body.jobs)
      cursor = body.next_cursor
    }
    expect(listed).to.have.length(all + 2)
  })

  it('are listed whatever their kind, each once, with offset and total', async () => {
    const before = (await get('/api/jobs')).body.total as number
    const ids = [
      (await run('instant', {})).body.job_id,
      (await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} })).body.prompt_id,
      (await get('/api/agents/instant/chat?message=hi')).body.task_id,
      ...(await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], wait: true })).body.job_ids,
    ] as string[]
    const { body } = await get('/api/jobs?limit=4')
    expect(body).to.include({ limit: 4, offset: 0, total: before + 4 })
    expect(body.jobs.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal(ids.toReversed())
    expect(Object.keys(body.jobs[0]).sort()).to.deep.equal([
      'batch_id',
      'completed_at',
      'created_at',
      'duration_ms',
      'error',
      'job_id',
      'kind',
      'pipeline_name',
      'status',
      'total_tokens',
    ])
    for (const id of ids) {
      expect((await get(`/api/jobs/${id}`)).body.job_id).to.equal(id)
      expect((await get(`/api/prompts/${id}`)).body.prompt_id).to.equal(id)
    }
    const second = await get('/api/jobs?limit=2&offset=1')
    expect(second.body.offset).to.equal(1)
    expect(second.body.jobs.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal(ids.toReversed().slice(1, 3))
    const beyond = await get(`/api/jobs?offset=${before + 4}`)
    expect(beyond.body.jobs).to.deep.equal([])
    const prompts = (await get('/api/prompts?limit=1000')).body.prompts as { prompt_id: string }[]
    const listed = new Set(prompts.map(({ prompt_id }) => prompt_id))
    expect(ids.map((id) => listed.has(id))).to.deep.equal([false, true, false, false])
  })

  it('are refused for an unknown agent, and for bodies that are wrong', async () => {
    expect((await run('nobody', {})).status).to.equal(404)
    const cases: [unknown, RegExp][] = [
      [{ inputs: {} }, /pipeline_name/],
      [{ pipeline_name: 'instant' }, /inputs/],
      [{ pipeline_name: 3, inputs: {} }, /pipeline_name/],
      [{ pipeline_name: 'nobody', inputs: [] }, /inputs/],
    ]
    for (const [body, detail] of cases) {
      const answer = await service.request('POST', '/api/jobs', body)
      expect(answer.status, JSON.stringify(body)).to.equal(400)
      expect(answer.body.detail).to.match(detail)
    }
    expect((await get(`/api/jobs/${randomUUID()}`)).status).to.equal(404)
  })

  it('can wait in hundreds of concurrent requests', async () => {
    const gate = randomUUID()
    const jobs = Array.from({ length: 500 }, (_, value) => run('gated', { gate, value }))
    await eventually(
      async () => (await get('/api/jobs?limit=500')).body.jobs as { status: string }[],
      (listed) => listed.filter(({ status }) => status === 'running').length === 500,
      60_000,
    )
    await service.open(gate)
    const answers = await Promise.all(jobs)
    expect(answers.filter(({ body }) => body.status !== 'success').map(({ body }) => body)).to.deep.equal([])
    expect(answers.map(({ body }) => body.result?.value)).to.deep.equal(
      Array.from({ length: 500 }, (_, value) => value),
    )
  })
})
