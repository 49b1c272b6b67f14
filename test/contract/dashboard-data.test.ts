import { expect } from 'chai'
import { eventually, untilEnded, type TestService } from '../support/service.ts'
import { Client } from '../streams/client.ts'
import { startScene } from './scene.ts'

describe('Endpoints for user interfaces:', function () {
  this.timeout(120_000)
  let service: TestService
  const get = (path: string) => service.request('GET', path)
  const readJson = (path: string) => service.request('GET', path, undefined, { Accept: 'application/json' })

  before(async () => {
    service = await startScene({ env: { TEMPORAL_UI: 'http://temporal.test:8080', EXECUTION_RETENTION_DAYS: '0.5' } })
  })
  after(() => service.stop())

  it('/api/about names the version, the Temporal UI and the limits', async () => {
    const { body } = await get('/api/about')
    const { namespace, ui, workflow_id_prefix } = body.temporal
    expect({ namespace, ui }).to.deep.equal({ namespace: 'default', ui: 'http://temporal.test:8080' })
    expect(workflow_id_prefix).to.match(/.\/$/)
    expect(body).to.include({ tracing: 'database', max_body_bytes: 33_554_432 })
    expect(body.retention_days).to.deep.equal({ traces: null, executions: 0.5 })
    expect(Math.abs(Date.parse(body.now as string) - Date.now())).to.be.below(10_000)
  })

  it('the outline of a trace agrees with the trace for each event', async () => {
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'many-tools',
      inputs: { steps: 2, calls: 3 },
    })
    await untilEnded(service, body.prompt_id as string)
    const { body: outline } = await get(`/api/traces/outline?job_id=${body.prompt_id}`)
    const { body: traces } = await get(`/api/traces?job_id=${body.prompt_id}&limit=1000`)
    interface Event {
      id: number
      parent_id: number | null
      agent_name: string
      event_type: string
      payload: Record<string, unknown>
    }
    const told = outline.columns.id.map((id: number, row: number) => ({
      id,
      parent_id: outline.columns.parent[row] || null,
      agent_name: outline.names[outline.columns.agent[row]],
      event_type: outline.event_types[outline.columns.type[row]],
    }))
    expect(told).to.deep.equal(
      (traces.traces as Event[]).map(({ id, parent_id, agent_name, event_type }) => ({
        id,
        parent_id,
        agent_name,
        event_type,
      })),
    )
    expect(outline).to.include({ count: traces.traces.length, next_after: null })
    const first = traces.traces.find(({ event_type }: Event) => event_type === 'tool_call') as Event
    const row = outline.columns.id.indexOf(first.id)
    expect(outline.names[outline.columns.name[row]]).to.equal(first.payload.tool_name)
    expect(outline.columns.duration[row]).to.equal(Math.round(first.payload.duration_ms as number))
    const { body: whole } = await get(`/api/prompts/${body.prompt_id}`)
    const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)
    expect(sum(outline.columns.prompt_tokens)).to.equal(whole.token_usage.prompt_tokens)
    expect(sum(outline.columns.completion_tokens)).to.equal(whole.token_usage.completion_tokens)
  })

  it('the pages of an outline make up the whole outline', async () => {
    const { body } = await service.request('POST', '/api/jobs', { pipeline_name: 'reckoner', inputs: { n: 3 } })
    const path = `/api/traces/outline?job_id=${body.job_id}`
    const { body: whole } = await get(path)
    const ids: number[] = []
    let after: number | null = 0
    while (after !== null) {
      const { body: page }: { body: { columns: { id: number[] }; next_after: number | null } } = await get(
        `${path}&limit=2&after=${after}`,
      )
      ids.push(...page.columns.id)
      after = page.next_after
    }
    expect(ids).to.deep.equal(whole.columns.id)
    expect((await get('/api/traces/outline?job_id=nobody')).status).to.equal(404)
    expect((await get('/api/traces/outline')).status).to.equal(400)
  })

  it('the grid of a batch follows every task from waiting to its end', async () => {
    const tasks = [{ gate: 'grid-0' }, { gate: 'grid-1' }]
    const { body } = await service.request('POST', '/api/agents/gated/batch', { tasks })
    const path = `/api/batches/${body.batch_id}`
    await service.request('POST', `${path}/add-tasks`, { agent_name: 'failing', tasks: [{}] })
    const grid = (letters: string) =>
      eventually(
        () => readJson(`${path}/grid`),
        (answer) => answer.body.tasks === letters,
      )
    await grid('rre')
    await service.open('grid-1')
    const { body: half } = await grid('rse')
    expect(half.summary).to.deep.equal({ total_expected: 3, recorded: 2, succeeded: 1, failed: 1 })
    expect(half).to.include({ waiting: 0, running: 1, canceled: 0 })
    await service.request('POST', `${path}/cancel`)
    const { body: canceled } = await grid('cse')
    expect(canceled.summary.failed).to.equal(2)
    expect(canceled.canceled).to.equal(1)
  })

  it('an unchanged grid is not sent again', async () => {
    const { body } = await service.request('POST', '/api/agents/gated/batch', { tasks: [{ gate: 'grid-2' }] })
    const path = `/api/batches/${body.batch_id}/grid`
    await eventually(
      () => readJson(path),
      (answer) => answer.body.tasks === 'r',
    )
    const asJson = { Accept: 'application/json' }
    const first = await fetch(service.api.url + path, { headers: asJson })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).to.match(/^"[\w-]{22}"$/)
    expect(first.headers.get('cache-control')).to.equal('private, no-cache')
    const ask = () => fetch(service.api.url + path, { headers: { ...asJson, 'If-None-Match': etag } })
    const same = await ask()
    expect([same.status, same.headers.get('etag'), await same.text()]).to.deep.equal([304, etag, ''])
    await service.open('grid-2')
    const changed = await eventually(ask, ({ status }) => status === 200)
    expect(await changed.json()).to.include({ tasks: 's', status: 'completed' })
    expect(changed.headers.get('etag'))
      .to.match(/^"[\w-]{22}"$/)
      .and.not.equal(etag)
  })

  it('a grid is plain text unless JSON is requested', async () => {
    const { body } = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}, {}], wait: true })
    const path = `${service.api.url}/api/batches/${body.batch_id}/grid`
    const read = async (headers: Record<string, string>) => {
      const response = await fetch(path, { headers })
      return [response.headers.get('content-type'), response.headers.get('vary'), await response.text()]
    }
    const text = ['text/plain; charset=utf-8', 'Accept', 'ss']
    expect(await read({})).to.deep.equal(text)
    expect(await read({ Accept: 'text/plain' })).to.deep.equal(text)
    const [type, , json = ''] = await read({ Accept: 'application/json' })
    expect([type, JSON.parse(json ?? '').tasks]).to.deep.equal(['application/json; charset=utf-8', 'ss'])
    // Those who ask at one moment share a reading.
    const many = await Promise.all(
      Array.from({ length: 30 }, (_, n) => read(n % 2 ? {} : { Accept: 'application/json' })),
    )
    expect(
      many.map(([, , answer = '']) => (answer?.startsWith('{') ? JSON.parse(answer).tasks : answer)),
    ).to.deep.equal(many.map(() => 'ss'))
    expect(many.filter(([given]) => given === text[0])).to.have.length(15)
    const etag = (await fetch(path)).headers.get('etag') ?? ''
    expect((await fetch(path, { headers: { 'If-None-Match': etag } })).status).to.equal(304)
    expect((await fetch(path, { headers: { Accept: 'application/json', 'If-None-Match': etag } })).status).to.equal(200)
  })

  it('the tasks of a batch are listed in order, by state and by page', async () => {
    const { body } = await service.request('POST', '/api/agents/instant/batch', {
      tasks: Array.from({ length: 5 }, (_, index) => ({ index })),
      wait: true,
    })
    const path = `/api/batches/${body.batch_id}/tasks`
    await service.request('POST', `/api/batches/${body.batch_id}/add-tasks`, {
      agent_name: 'failing',
      tasks: [{}],
      wait: true,
    })
    const { body: first } = await get(`${path}?limit=4`)
    const { body: second } = await get(`${path}?limit=4&cursor=${first.next_cursor}`)
    const all = [...first.tasks, ...second.tasks] as { task_id: string; index: number; state: string }[]
    expect(all.map(({ index }) => index)).to.deep.equal([0, 1, 2, 3, 4, 5])
    expect(all.slice(0, 5).map(({ task_id }) => task_id)).to.deep.equal(body.task_ids)
    expect(second.next_cursor).to.equal(null)
    const other = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}] })
    const elsewhere = `/api/batches/${other.body.batch_id}/tasks?cursor=${first.next_cursor}`
    expect((await get(elsewhere)).body.detail).to.equal('cursor must be a next_cursor of this list.')
    const { body: failed } = await get(`${path}?state=failed`)
    expect(failed.tasks).to.have.length(1)
    expect(failed.tasks[0]).to.include({ index: 5, agent: 'failing', state: 'failed' })
    expect((await get(`${path}?state=lost`)).status).to.equal(400)
    expect((await get(`${path}?status=failed`)).body).to.deep.equal(failed)
    expect((await get(`${path}?state=failed&status=completed`)).body.tasks).to.deep.equal([])
    expect((await get(`${path}?status=lost`)).status).to.equal(400)
    expect((await get('/api/batches/nobody/tasks')).status).to.equal(404)
  })

  it('the list of batches has summaries, and omits ids on request', async () => {
    const { body } = await get('/api/batches?limit=1&ids=false')
    const [batch] = body.batches
    expect(batch).to.deep.include({ job_ids: [], task_ids: [] })
    const { body: whole } = await get(`/api/batches/${batch.batch_id}`)
    expect(batch.summary).to.deep.equal(whole.outputs.summary)
    const { body: withIds } = await get('/api/batches?limit=1')
    expect(withIds.batches[0].task_ids).to.deep.equal(whole.task_ids)
  })

  it('the series of minutes adds up to the totals', async () => {
    await service.request('POST', '/api/jobs', { pipeline_name: 'reckoner', inputs: { n: 2 } })
    const [{ body: series }, { body: metrics }] = await Promise.all([
      get('/api/metrics/series?minutes=60&step=5'),
      get('/api/metrics'),
    ])
    interface Point {
      created: number
      completed: number
      failed: number
      tokens: { total_tokens: number }[]
    }
    const sum = (count: (point: Point) => number): number =>
      (series.points as Point[]).reduce((total, point) => total + count(point), 0)
    const tokens = (point: Point) => point.tokens.reduce((total, model) => total + model.total_tokens, 0)
    expect(series.points).to.have.length(12)
    expect(sum(({ created }) => created)).to.equal(metrics.total_jobs)
    expect(sum(({ completed }) => completed)).to.equal(metrics.completed_jobs)
    expect(sum(({ failed }) => failed)).to.equal(metrics.failed_jobs)
    expect(sum(tokens)).to.equal(metrics.total_tokens)
    expect(series.total).to.include({ created: metrics.total_jobs, failed: metrics.failed_jobs })
    expect(series.total.p95_ms).to.be.at.least(series.total.p50_ms)
  })

  it('a stream without payloads has the same events and an end without spans', async () => {
    const { body } = await service.request('POST', '/api/jobs', { pipeline_name: 'reckoner', inputs: { n: 2 } })
    const url = `${service.api.url.replace('http', 'ws')}/ws/prompts/${body.job_id}`
    const [whole, outline] = [new Client(url), new Client(`${url}?payload=none`)]
    const [wholeEnd, outlineEnd] = await Promise.all([whole.complete(), outline.complete()])
    for (const client of [whole, outline]) client.leave()
    expect(outline.spans.map(({ id }) => id)).to.deep.equal(whole.spans.map(({ id }) => id))
    expect(outline.spans.every(({ input, output }) => Object.keys(input).length === 0 && output === null)).to.equal(
      true,
    )
    expect(outlineEnd.spans).to.deep.equal([])
    expect(outlineEnd.outputs).to.deep.equal(wholeEnd.outputs)
  })
})
