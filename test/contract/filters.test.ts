import { expect } from 'chai'
import { eventually, untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

interface Item {
  job_id: string
  kind: string
  status: string
  pipeline_name: string
  batch_id: string | null
  duration_ms: number | null
  total_tokens: number
  error: string | null
}

describe('The list of executions', function () {
  this.timeout(120_000)
  let service: TestService
  let batchId: string
  const ids: Record<string, string> = {}
  const list = async (query: string): Promise<Item[]> => {
    const { status, body } = await service.request('GET', `/api/jobs?${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.jobs as Item[]
  }
  const idsOf = (items: Item[]): string[] => items.map(({ job_id }) => job_id)

  before(async () => {
    service = await startScene()
    const job = await service.request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })
    ids.instant = job.body.job_id
    const failing = await service.request('POST', '/api/jobs', { pipeline_name: 'failing', inputs: {} })
    ids.failing = failing.body.job_id
    const prompt = await service.request('POST', '/api/prompts', { prompt_name: 'reckoner', inputs: { n: 2 } })
    ids.prompt = prompt.body.prompt_id
    await untilEnded(service, prompt.body.prompt_id)
    const batch = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}, {}, {}], wait: true })
    batchId = batch.body.batch_id
    await service.request('POST', `/api/batches/${batchId}/add-tasks`, {
      agent_name: 'failing',
      tasks: [{}],
      wait: true,
    })
  })
  after(() => service.stop())

  it('contains kind, batch, duration, tokens and the beginning of the error', async () => {
    const [item] = await list('agent=reckoner')
    const { body: whole } = await service.request('GET', `/api/jobs/${ids.prompt}`)
    expect(item).to.deep.include({ job_id: ids.prompt, kind: 'prompt', batch_id: null, error: null })
    expect(item?.total_tokens).to.equal(whole.token_usage.total_tokens)
    expect(item?.duration_ms).to.equal(Date.parse(whole.completed_at) - Date.parse(whole.created_at))
    const [failed] = await list('status=failed&kind=job')
    expect(failed?.error).to.be.a('string').and.not.equal('')
  })

  it('filters by status, kind, agent and batch, alone and combined', async () => {
    expect(idsOf(await list('status=failed&kind=job'))).to.deep.equal([ids.failing])
    expect(idsOf(await list('kind=prompt'))).to.deep.equal([ids.prompt])
    expect(idsOf(await list('agent=instant&kind=job'))).to.deep.equal([ids.instant])
    expect(await list('agent=instant')).to.have.length(4)
    expect(await list(`batch_id=${batchId}`)).to.have.length(4)
    const failed = await list(`batch_id=${batchId}&status=failed`)
    expect(failed.map(({ pipeline_name }) => pipeline_name)).to.deep.equal(['failing'])
    expect(await list('status=running')).to.deep.equal([])
  })

  it('filters by the beginning of an id', async () => {
    expect(idsOf(await list(`id_prefix=${ids.instant?.slice(0, 8).toUpperCase()}`))).to.deep.equal([ids.instant])
  })

  it('filters by times and durations', async () => {
    const { body } = await service.request('GET', `/api/jobs/${ids.failing}`)
    const since = await list(`since=${body.created_at}`)
    expect(idsOf(since)).to.include(ids.failing).and.not.include(ids.instant)
    expect(idsOf(await list(`until=${body.created_at}`))).to.deep.equal([ids.instant])
    expect(await list('since=1h')).to.have.length(7)
    expect(await list('until=1h')).to.deep.equal([])
  })

  it('pages with a filter without gap or repetition', async () => {
    for (const query of ['agent=instant', `batch_id=${batchId}`, 'since=1h&status=completed']) {
      const whole = idsOf(await list(query))
      const paged: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { body } = await service.request('GET', `/api/jobs?${query}&limit=2${next}`)
        paged.push(...idsOf(body.jobs as Item[]))
        cursor = body.next_cursor as string | null
      }
      expect(paged, query).to.deep.equal(whole)
    }
  })

  it('names an invalid filter', async () => {
    for (const [query, field] of [
      ['status=broken', 'status'],
      ['kind=thing', 'kind'],
      ['since=yesterday', 'since'],
      ['since=2030-02-31T25:00', 'since'],
      ['id_prefix=abc', 'id_prefix'],
      ['id_prefix=%24where', 'id_prefix'],
    ]) {
      const { status, body } = await service.request('GET', `/api/jobs?${query}`)
      expect(status, query).to.equal(400)
      expect(body.detail, query).to.include(field)
    }
  })

  it('cancels all executions that match a filter, and counts them with dry_run', async () => {
    const started = await Promise.all(
      ['x', 'y'].map((gate) =>
        service.request('POST', '/api/prompts', { prompt_name: 'gated', inputs: { gate: `never-${gate}` } }),
      ),
    )
    const cancel = (body: object) => service.request('POST', '/api/jobs/cancel', body)
    const filter = { agent: 'gated' }
    expect((await cancel({ filter, dry_run: true })).body).to.deep.equal({
      matched: 2,
      canceled: 0,
      already_ended: 0,
      failed: 0,
    })
    expect((await cancel({ filter })).body).to.deep.equal({ matched: 2, canceled: 2, already_ended: 0, failed: 0 })
    for (const { body } of started) {
      expect((await untilEnded(service, body.prompt_id as string)).body.status).to.equal('canceled')
    }
    expect((await cancel({ filter })).body.matched).to.equal(0)
    // An empty name must not widen what is canceled.
    for (const wrong of [{}, { agent: '' }, { kind: 'prompt', agent: '' }, { kind: 'task', batch_id: '' }]) {
      const refused = await cancel({ filter: wrong })
      expect(refused.status).to.equal(400)
      expect(refused.body.detail).to.include('filter')
    }
  })

  it('replays without waiting', async () => {
    const { body } = await service.request('POST', `/api/jobs/${ids.instant}/replay`, { reexecute: true, wait: false })
    expect(body).to.deep.equal({ job_id: body.job_id, status: 'running', agent: 'instant', replay_of: ids.instant })
    const ended = await eventually(
      () => service.request('GET', `/api/jobs/${body.job_id}`),
      (answer) => answer.body.status !== 'running',
    )
    expect(ended.body).to.deep.include({ status: 'completed', replay_of: ids.instant })
  })
})
