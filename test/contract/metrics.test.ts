import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { TEST_AGENTS, untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Metrics', function () {
  this.timeout(120_000)
  let service: TestService
  const metrics = async () => (await service.request('GET', '/api/metrics')).body as Record<string, number>
  const run = (pipeline_name: string, inputs: unknown) =>
    service.request('POST', '/api/jobs', { pipeline_name, inputs })

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('are zero in the beginning', async () => {
    const files = (await readdir(TEST_AGENTS)).filter((file) => !file.startsWith('_'))
    const { timestamp, ...totals } = await metrics()
    expect(timestamp).to.be.a('string')
    expect(totals).to.deep.equal({
      total_jobs: 0,
      completed_jobs: 0,
      failed_jobs: 0,
      avg_latency_ms: 0,
      active_agents_count: files.length,
      tool_calls: 0,
      cache_hits: 0,
      total_tokens: 0,
    })
  })

  it('count each execution once, whatever its kind and fate', async () => {
    const key = randomUUID()
    const completed = [
      (await run('reckoner', { n: 2 })).body.job_id,
      (await run('cached', { key })).body.job_id,
      (await run('cached', { key })).body.job_id,
      (await service.request('GET', '/api/agents/instant/chat?message=hi')).body.task_id,
      ...(await service.request('POST', '/api/agents/instant/batch', { tasks: [{}, {}], wait: true })).body.job_ids,
    ] as string[]
    await run('failing', {})
    const { prompt_id } = (await service.request('POST', '/api/prompts', { prompt_name: 'patient', inputs: {} })).body
    await service.request('POST', `/api/prompts/${prompt_id}/cancel`)
    await untilEnded(service, prompt_id)

    const jobs = await Promise.all(completed.map((id) => service.request('GET', `/api/jobs/${id}`)))
    const took = jobs.map(({ body }) => Date.parse(body.completed_at) - Date.parse(body.created_at))
    const spent = jobs.reduce((sum, { body }) => sum + body.token_usage.total_tokens, 0)
    const events = (await service.request('GET', '/api/traces?limit=1000')).body.traces as { event_type: string }[]
    const count = (type: string) => events.filter(({ event_type }) => event_type === type).length
    const totals = await metrics()
    expect(totals).to.include({
      total_jobs: 8,
      completed_jobs: 6,
      failed_jobs: 1,
      tool_calls: count('tool_call'),
      cache_hits: count('cache_hit'),
      total_tokens: spent,
    })
    expect([totals.tool_calls, totals.cache_hits, totals.total_tokens]).to.deep.equal([2, 3, 50])
    expect(totals.avg_latency_ms).to.be.closeTo(took.reduce((sum, ms) => sum + ms, 0) / took.length, 0.001)
  })
})
