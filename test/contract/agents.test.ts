import { expect } from 'chai'
import { readdir } from 'node:fs/promises'
import { eventually, TEST_AGENTS, untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Agents', function () {
  this.timeout(120_000)
  let service: TestService
  const agents = async () => (await service.request('GET', '/api/agents')).body.agents as Record<string, unknown>[]
  const agent = async (name: string) => (await agents()).find((one) => one.name === name) ?? {}
  const tools = (name: string) => service.request('GET', `/api/agents/${name}/tools`)

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('are listed, all that the worker loaded', async () => {
    const files = (await readdir(TEST_AGENTS)).filter((file) => !file.startsWith('_'))
    const names = (await agents()).map(({ name }) => name)
    expect(names).to.deep.equal(files.map((file) => file.replace('.ts', '')).sort())
  })

  it('are shown with role, goal, tools and counts', async () => {
    const fresh = (await agent('reckoner')) as { last_seen: string; last_day: { since: string } }
    const { since } = fresh.last_day
    expect(Date.now() - Date.parse(since)).to.be.within(24 * 3_600_000 - 60_000, 25 * 3_600_000 + 60_000)
    expect(fresh).to.deep.equal({
      name: 'reckoner',
      role: 'Reckoner',
      goal: 'Use a tool once and answer, at a known price',
      status: 'active',
      models: ['scripted'],
      tools: ['square', 'nothing'],
      last_seen: fresh.last_seen,
      trace_count: 0,
      runs: 0,
      last_executed: null,
      last_day: { since, completed: 0, failed: 0, canceled: 0 },
      input: null,
      output: null,
    })
    const job = (await service.request('POST', '/api/jobs', { pipeline_name: 'reckoner', inputs: { n: 2 } })).body
    const traces = (await service.request('GET', `/api/traces?job_id=${job.job_id}`)).body.traces as {
      timestamp: string
    }[]
    const used = await agent('reckoner')
    expect(used.trace_count).to.equal(traces.length)
    expect(used.last_executed).to.equal(traces[0]?.timestamp)
    expect(used).to.deep.include({ runs: 1, last_day: { since, completed: 1, failed: 0, canceled: 0 } })
  })

  it('are shown with how their runs ended, also those that other agents began', async () => {
    const ended = async (name: string): Promise<number[]> => {
      const { runs, last_day } = (await agent(name)) as { runs: number; last_day: Record<string, number> }
      return [runs, last_day.completed ?? 0, last_day.failed ?? 0, last_day.canceled ?? 0]
    }
    const run = (pipeline_name: string, inputs: object) =>
      service.request('POST', '/api/jobs', { pipeline_name, inputs })
    expect(await ended('caller')).to.deep.equal([0, 0, 0, 0])
    const instants = await ended('instant')
    await run('caller', { agents: ['instant'] })
    await run('caller', { agents: ['failing'] })
    const { prompt_id } = (
      await service.request('POST', '/api/prompts', { prompt_name: 'gated', inputs: { gate: 'x' } })
    ).body
    await eventually(
      () => ended('gated'),
      ([runs]) => runs === 1,
    )
    await service.request('POST', `/api/prompts/${prompt_id}/cancel`)
    await eventually(
      () => ended('gated'),
      ([, , , canceled]) => canceled === 1,
    )
    expect(await ended('gated')).to.deep.equal([1, 0, 0, 1])
    expect(await ended('instant')).to.deep.equal(instants.map((count, index) => (index < 2 ? count + 1 : count)))
    expect(await ended('failing')).to.deep.equal([1, 0, 1, 0])
    expect((await ended('caller'))[0]).to.equal(2)
  })

  it('describe their tools as the model gets them', async () => {
    const { status, body } = await tools('reckoner')
    expect(status).to.equal(200)
    expect(body.agent).to.equal('reckoner')
    const [square, nothing] = body.tools as { parameters: Record<string, Record<string, unknown>> }[]
    expect(square).to.deep.include({ name: 'square', description: 'Squares a number.' })
    expect(square?.parameters).to.deep.include({ type: 'object', required: ['n'] })
    expect(square?.parameters.properties?.n).to.deep.equal({ type: 'number', description: 'The number.' })
    expect(nothing?.parameters).to.deep.equal({ type: 'object', properties: {}, required: [] })
    expect((await tools('instant')).body).to.deep.equal({ agent: 'instant', tools: [] })
    expect((await tools('nobody')).status).to.equal(404)
  })

  it('are inactive while their worker is down; accepted work runs when it is back', async () => {
    await service.worker.kill9()
    // As if half a minute had gone by since its last beat.
    await service.store.agents.updateMany({}, { $set: { last_seen: new Date(Date.now() - 31_000) } })
    expect(new Set((await agents()).map(({ status }) => status))).to.deep.equal(new Set(['inactive']))
    expect((await service.request('GET', '/api/metrics')).body.active_agents_count).to.equal(0)
    const accepted = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { a: 1 } })
    expect(accepted.body.status).to.equal('running')
    const canceled = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} })
    const { prompt_id } = canceled.body
    const answer = await service.request('POST', `/api/prompts/${prompt_id}/cancel`)
    expect(answer.body).to.deep.equal({ ok: true, prompt_id, status: 'canceled' })
    await service.worker.restart()
    expect((await untilEnded(service, accepted.body.prompt_id)).body.outputs).to.deep.equal({ a: 1 })
    expect((await service.request('GET', `/api/prompts/${prompt_id}`)).body.status).to.equal('canceled')
    await eventually(agents, (all) => all.every(({ status }) => status === 'active'))
  })
})
