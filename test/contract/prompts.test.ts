import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('The prompts resource', function () {
  this.timeout(120_000)
  let service: TestService
  const submit = async (prompt_name: string, inputs: unknown, more: object = {}): Promise<string> => {
    const { status, body } = await service.request('POST', '/api/prompts', { prompt_name, inputs, ...more })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.prompt_id
  }
  const traces = async (id: string) =>
    (await service.request('GET', `/api/traces?job_id=${id}&limit=1000`)).body.traces as {
      id: number
      parent_id: number | null
      agent_name: string
      event_type: string
      payload: Record<string, unknown>
    }[]

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('returns the documented fields on creation', async () => {
    const { status, body } = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { a: 1 } })
    expect(status).to.equal(200)
    expect(body.prompt_id).to.match(UUID_V4)
    expect(body).to.deep.equal({
      prompt_id: body.prompt_id,
      status: 'running',
      agent: 'instant',
      mode: 'single',
      agents: ['instant'],
    })
    const ended = await untilEnded(service, body.prompt_id)
    expect(ended.body).to.deep.include({
      prompt_id: body.prompt_id,
      prompt_name: 'instant',
      status: 'completed',
      inputs: { a: 1 },
      outputs: { a: 1 },
      error: null,
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, by_model: [] },
      submitted_by: null,
    })
    expect(ended.body.completed_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z$/)
  })

  it('ignores agents in single mode', async () => {
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'upper',
      inputs: { text: 'abc' },
      mode: 'single',
      agents: ['instant'],
    })
    expect(body.agents).to.deep.equal(['upper'])
    expect((await untilEnded(service, body.prompt_id)).body.outputs).to.deep.equal({ result: 'ABC' })
  })

  it('passes the output of each agent of a chain to the next, wrapped if it is not an object', async () => {
    const id = await submit('upper', { text: 'abc' }, { mode: 'sequential', agents: ['upper', 'surround', 'instant'] })
    const { body } = await untilEnded(service, id)
    expect(body.outputs).to.deep.equal({ got: { input: 'ABC', text: 'ABC' }, text: 'surrounded' })
    const events = await traces(id)
    expect(events.map(({ agent_name, event_type }) => `${agent_name} ${event_type}`)).to.deep.equal([
      'upper task_start',
      'upper task_complete',
      'surround task_start',
      'surround task_complete',
      'instant task_start',
      'instant task_complete',
    ])
    expect(
      events.filter(({ event_type }) => event_type === 'task_start').map(({ parent_id }) => parent_id),
    ).to.deep.equal([null, null, null])
  })

  it('runs prompt_name alone when a chain names no agents', async () => {
    for (const agents of [null, []]) {
      const id = await submit('upper', { text: 'x' }, { mode: 'sequential', agents })
      expect((await untilEnded(service, id)).body.outputs).to.deep.equal({ result: 'X' })
    }
  })

  it('stops a chain at the agent that fails, and names it', async () => {
    const id = await submit('upper', { text: 'x' }, { mode: 'sequential', agents: ['upper', 'failing', 'instant'] })
    const { body } = await untilEnded(service, id)
    expect(body.status).to.equal('failed')
    expect(body.error).to.contain('failing').and.to.contain('this agent always fails')
    expect(body.outputs).to.deep.equal({ error: body.error })
    const events = await traces(id)
    expect(events.some(({ agent_name }) => agent_name === 'instant')).to.equal(false)
    const error = events.find(({ event_type }) => event_type === 'error')
    expect(error?.payload).to.include({ error: 'this agent always fails', retryable: false })
    expect(error?.payload.stack).to.be.a('string')
  })

  it('starts nothing when any agent is unknown', async () => {
    const before = await service.store.executions.countDocuments()
    for (const more of [{}, { mode: 'sequential', agents: ['upper', 'nobody'] }]) {
      const name = 'agents' in more ? 'upper' : 'nobody'
      const { status, body } = await service.request('POST', '/api/prompts', { prompt_name: name, inputs: {}, ...more })
      expect(status).to.equal(404)
      expect(body.detail).to.contain('nobody')
    }
    expect(await service.store.executions.countDocuments()).to.equal(before)
  })

  it('runs a model agent with tools, delegation and failures as data', async () => {
    const id = await submit('delegator', { query: 'go' })
    const { body } = await untilEnded(service, id)
    expect(body.status).to.equal('completed')
    const results = JSON.parse(body.outputs.result) as { name: string; result?: unknown; error?: string }[]
    expect(results.map(({ name }) => name)).to.deep.equal(['upper', 'failing', 'endless', 'broken', 'unheard-of'])
    expect(results[0]?.result).to.equal('DELEGATED')
    expect(results[1]?.error).to.contain('this agent always fails')
    expect(results[2]?.error).to.contain('3 model calls')
    expect(results[3]?.error).to.contain('the tool is broken')
    expect(results[4]?.error).to.contain('unheard-of')
    const events = await traces(id)
    const root = events.find(({ event_type, agent_name }) => event_type === 'task_start' && agent_name === 'delegator')
    const delegations = events.filter(({ event_type }) => event_type === 'delegation')
    expect(delegations.map(({ payload }) => payload.target_agent).sort()).to.deep.equal(['endless', 'failing', 'upper'])
    for (const delegation of delegations) {
      expect(delegation.parent_id).to.equal(root?.id)
      const started = events.find(
        ({ event_type, parent_id }) => event_type === 'task_start' && parent_id === delegation.id,
      )
      expect(started?.agent_name).to.equal(delegation.payload.target_agent)
    }
    const calls = events.filter(
      ({ event_type, agent_name }) => event_type === 'tool_call' && agent_name === 'delegator',
    )
    expect(calls.map(({ payload }) => payload.status)).to.deep.equal(['error', 'error'])
    expect(body.token_usage.by_model).to.have.length(1)
  })

  it('sends a model the query, message, task or else the inputs as JSON', async () => {
    const cases: [object, string][] = [
      [{ task: 't', message: 'm', query: 'q' }, 'q'],
      [{ task: 't', message: 'm' }, 'm'],
      [{ task: 't', other: 1 }, 't'],
      [{ other: 1, query: 7 }, '{"other":1,"query":7}'],
      [{}, '{}'],
    ]
    for (const [inputs, text] of cases) {
      const { body } = await untilEnded(service, await submit('asked', inputs))
      expect(JSON.parse(body.outputs.result)).to.deep.equal([{ role: 'user', content: text }])
    }
  })

  it('runs a chain that contains the same agent several times', async () => {
    const agents = ['surround', 'surround', 'upper']
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'instant',
      inputs: { text: 'x' },
      mode: 'sequential',
      agents,
    })
    expect(body).to.deep.include({ agent: 'instant', mode: 'sequential', agents })
    const ended = (await untilEnded(service, body.prompt_id)).body
    expect(ended).to.deep.include({ prompt_name: 'instant', outputs: { result: 'SURROUNDED' } })
    expect((await traces(body.prompt_id)).filter(({ event_type }) => event_type === 'task_start')).to.have.length(3)
  })

  it('cancels a chain between its agents and keeps what was used', async () => {
    const id = await submit('reckoner', { n: 2 }, { mode: 'sequential', agents: ['reckoner', 'patient', 'upper'] })
    // Its code begins a little before its start is recorded.
    await eventually(
      () => traces(id),
      (events) => events.some(({ agent_name }) => agent_name === 'patient'),
    )
    await service.request('POST', `/api/jobs/${id}/cancel`)
    const { body } = await untilEnded(service, id)
    expect(body).to.include({ status: 'canceled', outputs: null })
    expect(body.token_usage.total_tokens).to.equal(30)
    const events = await traces(id)
    expect(events.some(({ agent_name }) => agent_name === 'upper')).to.equal(false)
    const requested = events.find(({ event_type }) => event_type === 'task_cancel_requested')
    const last = events.findLast(({ event_type }) => event_type === 'task_start')
    expect(requested?.parent_id).to.equal(last?.id)
    await service.open(id)
  })

  it('fails a run without a final response with code max_steps', async () => {
    const id = await submit('endless', {})
    const { body } = await untilEnded(service, id)
    expect(body.status).to.equal('failed')
    expect((await traces(id)).find(({ event_type }) => event_type === 'error')?.payload.code).to.equal('max_steps')
  })

  it('serves equal calls from the cache, with cache_hit events and no tokens', async () => {
    const key = randomUUID()
    const first = await submit('cached', { key })
    await untilEnded(service, first)
    const second = await submit('cached', { key })
    const { body } = await untilEnded(service, second)
    expect(body.outputs).to.deep.equal({ result: 'found' })
    expect(body.token_usage.total_tokens).to.equal(0)
    expect((await traces(second)).map(({ event_type }) => event_type)).to.deep.equal([
      'task_start',
      'cache_hit',
      'cache_hit',
      'cache_hit',
      'task_complete',
    ])
    expect(await service.counted(first)).to.have.length(1)
    expect(await service.counted(second)).to.deep.equal([])
  })

  it('lets plain code call other agents as part of the job', async () => {
    const id = await submit('caller', { agents: ['upper', 'cached'] })
    const { body } = await untilEnded(service, id)
    expect(body.outputs).to.deep.equal({ answers: ['FOR UPPER', 'found'] })
    const events = await traces(id)
    expect(events.filter(({ event_type }) => event_type === 'delegation')).to.have.length(2)
  })

  it('cancels a running tool within a second', async () => {
    const id = await submit('slow-tool', {})
    await eventually(
      () => service.counted(id),
      (lines) => lines.includes('begin'),
    )
    const { status, body } = await service.request('POST', `/api/prompts/${id}/cancel`)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ ok: true, prompt_id: id, status: 'canceled' })
    expect((await service.request('GET', `/api/prompts/${id}`)).body.status).to.equal('canceled')
    // The tool would wait for a minute. How soon it was aborted is measured in bench/cancel.ts.
    await eventually(
      () => service.counted(id),
      (all) => all.length === 2,
    )
    const ended = await untilEnded(service, id)
    expect(ended.body).to.include({ status: 'canceled', outputs: null, error: null })
    expect(ended.body.completed_at).to.be.a('string')
    expect(ended.body.token_usage).to.include({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
    const again = await service.request('POST', `/api/prompts/${id}/cancel`)
    expect(again.body).to.deep.equal({ ok: true, prompt_id: id, status: 'canceled' })
    const events = await traces(id)
    const requested = events.find(({ event_type }) => event_type === 'task_cancel_requested')
    expect(requested?.payload).to.deep.equal({ by: 'user' })
    expect(requested?.parent_id).to.equal(events[0]?.id)
  })

  it('leaves a finished run untouched by a cancel', async () => {
    const id = await submit('instant', { a: 1 })
    const before = (await untilEnded(service, id)).body
    const { status, body } = await service.request('POST', `/api/prompts/${id}/cancel`)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ ok: false, prompt_id: id, status: 'completed' })
    expect((await service.request('GET', `/api/prompts/${id}`)).body).to.deep.equal(before)
    expect((await service.request('POST', `/api/prompts/${randomUUID()}/cancel`)).status).to.equal(404)
  })

  it('returns inputs exactly as they were sent', async () => {
    const text = `{"$set":{"a.b":1},"__proto__":{"polluted":true},"constructor":{"prototype":1},"a.b":"\\u0000","\\u0000":2,"😀":"\\ud800","":null,"$where":"1"}`
    const { body } = await service.request('POST', '/api/prompts', `{"prompt_name":"instant","inputs":${text}}`)
    await untilEnded(service, body.prompt_id)
    const response = await fetch(`${service.api.url}/api/prompts/${body.prompt_id}`)
    const raw = await response.text()
    const canonical = JSON.stringify(JSON.parse(text))
    expect(raw).to.contain(`"inputs":${canonical}`)
    expect(raw).to.contain(`"outputs":${canonical}`)
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('accepts inputs nested 64 levels deep, and rejects deeper ones', async () => {
    const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
    const send = (levels: number) =>
      service.request('POST', '/api/prompts', `{"prompt_name":"instant","inputs":${nested(levels)}}`)
    const taken = await send(64)
    expect(taken.status, JSON.stringify(taken.body)).to.equal(200)
    const refused = await send(65)
    expect(refused.status).to.equal(400)
    expect((await send(20_000)).status).to.equal(400)
  })

  it('lists prompts newest first, page by page', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.unshift(await submit('instant', { index }))
    await Promise.all(ids.map((id) => untilEnded(service, id)))
    const { body } = await service.request('GET', '/api/prompts?limit=3')
    expect(body.limit).to.equal(3)
    expect(body.prompts.map(({ prompt_id }: { prompt_id: string }) => prompt_id)).to.deep.equal(ids.slice(0, 3))
    expect(Object.keys(body.prompts[0]).sort()).to.deep.equal([
      'completed_at',
      'created_at',
      'prompt_id',
      'prompt_name',
      'status',
    ])
    const next = await service.request('GET', `/api/prompts?limit=2&cursor=${encodeURIComponent(body.next_cursor)}`)
    expect(next.body.prompts.map(({ prompt_id }: { prompt_id: string }) => prompt_id)).to.deep.equal(ids.slice(3, 5))
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=nonsense', 'limit=']) {
      expect((await service.request('GET', `/api/prompts?${query}`)).status, query).to.equal(400)
    }
  })

  it('returns an error that names the invalid field of a body', async () => {
    const cases: [unknown, RegExp][] = [
      [{ inputs: {} }, /prompt_name/],
      [{ prompt_name: 'instant' }, /inputs/],
      [{ prompt_name: 'instant', inputs: [] }, /inputs/],
      [{ prompt_name: 'instant', inputs: {}, mode: 'parallel' }, /mode/],
      [{ prompt_name: 'instant', inputs: {}, agents: 'x' }, /agents/],
      [[], /./],
      ['{', /JSON/],
      ['null', /./],
    ]
    for (const [body, detail] of cases) {
      const answer = await service.request('POST', '/api/prompts', body)
      expect(answer.status, JSON.stringify(body)).to.equal(400)
      expect(answer.body.detail).to.match(detail)
      expect(Object.keys(answer.body)).to.deep.equal(['detail'])
    }
    const unknown = await service.request('GET', `/api/prompts/${randomUUID()}`)
    expect(unknown.status).to.equal(404)
  })
})
