import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { jsonArray, sendable } from '../../api/http/json-text.ts'
import { listGroups, readGroups } from '../../api/reads/traces.ts'
import type { TraceDocument } from '../../store/documents.ts'
import { untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

interface Trace {
  id: number
  job_id: string
  agent_name: string
  event_type: string
  parent_id: number | null
  payload: Record<string, unknown>
  timestamp: string
}

describe('Traces', function () {
  this.timeout(120_000)
  let service: TestService
  const get = (path: string) => service.request('GET', path)
  const job = async (pipeline_name: string, inputs: unknown): Promise<string> =>
    (await service.request('POST', '/api/jobs', { pipeline_name, inputs })).body.job_id
  const list = async (query: string): Promise<Trace[]> => (await get(`/api/traces?${query}`)).body.traces
  const types = (traces: Trace[]) => traces.map(({ event_type }) => event_type)

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('list the events of a model agent oldest first, with the documented fields', async () => {
    const id = await job('reckoner', { n: 3 })
    const traces = await list(`job_id=${id}`)
    expect(types(traces)).to.deep.equal(['task_start', 'llm_usage', 'tool_call', 'llm_usage', 'task_complete'])
    const [start, asked, called, , complete] = traces as [Trace, Trace, Trace, Trace, Trace]
    expect(Object.keys(start).sort()).to.deep.equal([
      'agent_name',
      'event_type',
      'id',
      'job_id',
      'parent_id',
      'payload',
      'timestamp',
    ])
    expect(traces.map(({ id: traceId }) => traceId)).to.deep.equal(
      [...traces.map((trace) => trace.id)].sort((a, b) => a - b),
    )
    expect(traces.map(({ parent_id }) => parent_id)).to.deep.equal([null, start.id, start.id, start.id, start.id])
    expect(start.payload).to.deep.equal({ inputs: { n: 3 }, worker: start.payload.worker })
    expect(start.payload.worker).to.be.a('string')
    const { duration_ms: askedMs, ...usage } = asked.payload
    expect(askedMs).to.be.a('number')
    expect(usage).to.deep.include({
      provider: 'scripted',
      model: 'scripted',
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      cached_tokens: 0,
    })
    expect(usage.usage).to.be.oneOf(['measured', 'estimated', 'unknown'])
    expect(usage).to.have.property('response')
    const { duration_ms: calledMs, call_id, ...call } = called.payload
    expect(calledMs).to.be.a('number')
    expect(call_id).to.be.a('string')
    expect(call).to.deep.equal({
      tool_name: 'square',
      tool: 'square',
      parameters: { n: 3 },
      params: { n: 3 },
      result: 9,
      status: 'success',
    })
    const { duration_ms, ...end } = complete.payload
    expect(duration_ms).to.be.a('number')
    expect(end).to.deep.equal({
      status: 'completed',
      result: { result: '9' },
      steps: 2,
      token_usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    })
  })

  it('contain errors with a stack', async () => {
    const id = await job('failing', { message: 'broken' })
    const error = (await list(`job_id=${id}`)).find(({ event_type }) => event_type === 'error')
    expect(Object.keys(error?.payload ?? {}).sort()).to.deep.equal(['code', 'error', 'retryable', 'stack'])
    expect(error?.payload).to.include({ error: 'broken', retryable: false })
    expect(error?.payload.code).to.match(/^[a-z0-9_]+$/)
    expect(error?.payload.stack).to.contain('failing.ts')
  })

  it('contain only cache_hit for cached results', async () => {
    const key = randomUUID()
    await job('cached', { key })
    const hits = (await list(`job_id=${await job('cached', { key })}`)).filter(
      ({ event_type }) => event_type === 'cache_hit',
    )
    expect(hits.map(({ payload }) => 'tool_name' in payload || 'model' in payload)).to.deep.equal([true, true, true])
    expect(hits.every(({ payload }) => 'parameters' in payload)).to.equal(true)
  })

  it('are listed newest first without job_id, filtered by agent, and up to the limit', async () => {
    await job('upper', { text: 'x' })
    const all = await list('')
    expect(all.map(({ id }) => id)).to.deep.equal(all.map(({ id }) => id).sort((a, b) => b - a))
    expect(await list('limit=2')).to.deep.equal(all.slice(0, 2))
    const upper = await list('agent_name=upper')
    expect(new Set(upper.map(({ agent_name }) => agent_name))).to.deep.equal(new Set(['upper']))
    expect(upper).to.deep.equal((await list('limit=1000')).filter(({ agent_name }) => agent_name === 'upper'))
    const id = await job('delegator', {})
    const whole = await list(`job_id=${id}&limit=1000`)
    expect(await list(`job_id=${id}&limit=3`)).to.deep.equal(whole.slice(0, 3))
    expect(await list(`job_id=${id}&agent_name=upper`)).to.deep.equal(
      whole.filter(({ agent_name }) => agent_name === 'upper'),
    )
    expect(await list(`job_id=${randomUUID()}`)).to.deep.equal([])
    expect(await list('agent_name=nobody')).to.deep.equal([])
  })

  it('have a default limit of 100', async () => {
    const { batch_id } = (
      await service.request('POST', '/api/agents/instant/batch', {
        tasks: Array.from({ length: 60 }, (_, n) => ({ n })),
        wait: true,
      })
    ).body
    expect(batch_id).to.be.a('string')
    expect(await list('')).to.have.length(100)
    expect(await list('limit=110')).to.have.length(110)
  })

  it('are grouped by the jobs with the latest events, each group whole', async () => {
    const chain = { prompt_name: 'upper', inputs: { text: 'x' }, mode: 'sequential', agents: ['upper', 'surround'] }
    const { prompt_id } = (await service.request('POST', '/api/prompts', chain)).body
    await untilEnded(service, prompt_id)
    const last = await job('reckoner', { n: 5 })
    const { body } = await get('/api/traces/grouped?limit=2')
    expect(body.grouped_traces.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal([last, prompt_id])
    const traces = await list(`job_id=${prompt_id}`)
    expect(body.grouped_traces[1]).to.deep.equal({
      job_id: prompt_id,
      trace_count: 4,
      agents: ['upper', 'surround'],
      start_time: traces[0]?.timestamp,
      end_time: traces[3]?.timestamp,
      traces,
    })
    const whole = await get('/api/traces/grouped')
    expect(whole.body.grouped_traces).to.have.length(50)
    const next = await get(`/api/traces/grouped?limit=1&cursor=${body.next_cursor}`)
    expect(next.body.grouped_traces[0]).to.deep.equal(whole.body.grouped_traces[2])
  })

  it('have a cursor of their own for each order: that of a job is none of the newest events', async () => {
    const id = await job('reckoner', { n: 8 })
    const first = await get(`/api/traces?limit=1&job_id=${id}`)
    const next = await get(`/api/traces?limit=1&job_id=${id}&cursor=${first.body.next_cursor}`)
    expect(next.body.traces[0].id).to.be.above(first.body.traces[0].id)
    const newest = await get('/api/traces?limit=1')
    for (const path of [
      `/api/traces?cursor=${first.body.next_cursor}`,
      `/api/traces?job_id=${id}&cursor=${newest.body.next_cursor}`,
    ]) {
      const { status, body } = await service.request('GET', path)
      expect([status, body.detail]).to.deep.equal([400, 'cursor must be a next_cursor of this list.'])
    }
  })

  it('are grouped consistently while events are written', async () => {
    const early = await job('reckoner', { n: 6 })
    const late = await job('reckoner', { n: 7 })
    const { jobs, lastId } = await listGroups(service.store, { limit: 2, cursor: undefined, offset: undefined })
    expect(jobs).to.deep.equal([late, early])
    const last = (await service.store.traces.findOne({ _id: lastId })) as TraceDocument
    const written = { ...last, _id: lastId + 1_000_000, job_id: early }
    await service.store.traces.insertOne(written)
    try {
      const sent = await sendable(jsonArray(readGroups(service.store, jobs, lastId)))
      const groups = JSON.parse(typeof sent === 'string' ? sent : await text(Readable.from(sent)))
      expect(groups.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal([late, early])
      expect(groups[1].traces).to.deep.equal((await list(`job_id=${early}`)).slice(0, -1))
    } finally {
      await service.store.traces.deleteOne({ _id: written._id })
    }
  })

  it('contain large payloads whole when read one by one', async () => {
    const id = await job('big', { bytes: 150_000 })
    const [start, complete] = (await list(`job_id=${id}`)) as [Trace, Trace]
    expect((await get(`/api/traces/${start.id}`)).body).to.deep.equal(start)
    const listed = complete.payload.result as { offloaded: boolean; pointer: { key: string } }
    expect(listed.offloaded).to.equal(true)
    expect(listed.pointer.key).to.match(new RegExp(`^responses/\\d{4}/\\d\\d/\\d\\d/${id}\\.[0-9a-f]{8}\\.json$`))
    const { body } = await get(`/api/traces/${complete.id}`)
    expect(body.payload.result.text).to.have.length(150_000)
    expect({ ...body, payload: null }).to.deep.equal({ ...complete, payload: null })
  })

  it('are the same in lists and when read one by one while they are small', async () => {
    const agents = ['big', 'asked', 'instant']
    const traces = async (bytes: number): Promise<Record<string, unknown>[]> => {
      const chain = { prompt_name: 'big', inputs: { bytes }, mode: 'sequential', agents }
      const { prompt_id } = (await service.request('POST', '/api/prompts', chain)).body
      await untilEnded(service, prompt_id)
      const listed = (await list(`job_id=${prompt_id}`)).filter(({ event_type }) => event_type !== 'task_start')
      expect(listed.map((each) => [each.agent_name, each.event_type])).to.deep.equal([
        ['big', 'task_complete'],
        ['asked', 'llm_usage'],
        ['asked', 'task_complete'],
        ['instant', 'task_complete'],
      ])
      const large = listed.filter(({ payload }) => JSON.stringify(payload).includes('"offloaded":true'))
      expect(large).to.have.length(bytes > 100_000 ? 4 : 0)
      const whole = await Promise.all(listed.map(async ({ id }) => (await get(`/api/traces/${id}`)).body.payload))
      return whole.map(({ result, response }) => result ?? response)
    }
    const long = 'x'.repeat(150_000)
    const shown = (values: unknown[]) => JSON.stringify(values).replaceAll(long, 'x')
    expect(shown(await traces(150_000))).to.equal(shown(await traces(1)))
  })

  it('return 404 for an id that is unknown or not an integer', async () => {
    for (const id of ['999999999', '0', '-1', '1.5', 'abc', '1e3', '99999999999999999999', '%201', '1%00']) {
      const { status, body } = await get(`/api/traces/${id}`)
      expect(status, id).to.equal(404)
      expect(body.detail).to.be.a('string')
    }
  })

  it('can be deleted without disturbing a run', async () => {
    const gate = randomUUID()
    const { prompt_id } = (
      await service.request('POST', '/api/prompts', { prompt_name: 'reckoner', inputs: { n: 6, gate } })
    ).body
    await service.store.traces.deleteMany({})
    await service.open(gate)
    await service.store.traces.deleteMany({})
    const { body } = await untilEnded(service, prompt_id)
    expect(body).to.deep.include({ status: 'completed', outputs: { result: '36' } })
    expect(body.token_usage.total_tokens).to.equal(30)
  })
})

describe('Traces that are disabled', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startScene({ env: { TRACING: 'disabled' } })
  })
  after(() => service.stop())

  it('are not kept; everything else works', async () => {
    const health = (await service.request('GET', '/api/health')).body
    expect(health.components.tracing).to.deep.equal({ enabled: false, backend: 'disabled' })
    const { body } = await service.request('POST', '/api/jobs', { pipeline_name: 'reckoner', inputs: { n: 3 } })
    expect(body.result).to.deep.equal({ result: '9' })
    const stored = (await service.request('GET', `/api/jobs/${body.job_id}`)).body
    expect(stored.token_usage.total_tokens).to.equal(30)
    expect((await service.request('GET', '/api/traces')).body.traces).to.deep.equal([])
    expect((await service.request('GET', '/api/traces/grouped')).body.grouped_traces).to.deep.equal([])
    expect((await service.request('GET', '/api/metrics')).body.total_tokens).to.equal(30)
    const delegated = await service.request('POST', '/api/jobs', { pipeline_name: 'delegator', inputs: {} })
    expect(delegated.body.status).to.equal('success')
    const batch = await service.request('POST', '/api/agents/reckoner/batch', { tasks: [{ n: 2 }], wait: true })
    expect(batch.body.results[0].response.result).to.deep.equal({ result: '4' })
    const { prompt_id } = (await service.request('POST', '/api/prompts', { prompt_name: 'patient', inputs: {} })).body
    await service.request('POST', `/api/prompts/${prompt_id}/cancel`)
    expect((await untilEnded(service, prompt_id)).body.status).to.equal('canceled')
  })
})
