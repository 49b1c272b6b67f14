import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100, cached_tokens: 400, reasoning_tokens: 40 }
/** 600 fresh and 400 cached tokens, 100 generated. */
const COST = (600 * 1 + 400 * 0.1 + 100 * 4) / 1_000_000

describe('Cost', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string
  let answer: ScriptedAnswer | ((asked: number) => ScriptedAnswer)
  let asked = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(() => (typeof answer === 'function' ? answer(asked++) : answer), folder)
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    answer = { text: 'yes', usage }
    asked = 0
  })

  const submit = async (prompt_name: string, inputs: object = { query: 'q' }): Promise<string> =>
    (await scene.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const run = async (name: string, inputs?: object) => (await untilEnded(scene, await submit(name, inputs))).body
  const eventsOf = async (job: string, type = 'llm_usage') => {
    const { body } = await scene.request('GET', `/api/traces?job_id=${job}&limit=1000`)
    return body.traces.filter(({ event_type }: { event_type: string }) => event_type === type)
  }

  it('is reported with the token usage, in parts that do not overlap', async () => {
    const prompt = await run('buyer')
    expect(prompt.cost).to.deep.equal({
      usd: COST,
      complete: true,
      by_model: [
        {
          ...{ provider: 'openai', model: 'gpt-5-mini', usd: COST, complete: true, estimated: false },
          ...{ input: 600, cached: 400, cache_write: 0, output: 60, reasoning: 40 },
        },
      ],
    })
    const { total_tokens } = prompt.token_usage
    expect(total_tokens).to.equal(1_100)
    const job = await scene.request('GET', `/api/jobs/${prompt.prompt_id}`)
    expect(job.body.cost).to.deep.equal(prompt.cost)
  })

  it('is recorded in the event with the price and its source', async () => {
    const { prompt_id } = await run('buyer')
    const [{ payload }] = await eventsOf(prompt_id)
    expect(payload).to.include({ cost_usd: COST, usage: 'measured' })
    expect(payload.price).to.deep.equal({ source: 'PRICES_FILE', input: 1, output: 4, cache_read: 0.1 })
    expect(payload.buckets).to.deep.equal({
      input: { tokens: 600, source: 'measured' },
      cached: { tokens: 400, source: 'measured' },
      cache_write: { tokens: 0, source: 'measured' },
      output: { tokens: 60, source: 'measured' },
      reasoning: { tokens: 40, source: 'measured' },
    })
  })

  it('uses the published price when PRICES_FILE has none', async () => {
    answer = {
      text: 'yes',
      usage: { prompt_tokens: 1_234, completion_tokens: 10, cached_tokens: 1_000, cache_write_tokens: 200 },
    }
    const { prompt_id, cost } = await run('claude')
    const [{ payload }] = await eventsOf(prompt_id)
    expect(payload.price.source).to.match(/^genai-prices \d/)
    expect(payload.price).to.include({ input_mtok: 2, cache_read_mtok: 0.2, cache_write_mtok: 2.5, output_mtok: 10 })
    expect(cost.usd).to.equal((34 * 2 + 1_000 * 0.2 + 200 * 2.5 + 10 * 10) / 1_000_000)
  })

  it('is estimated when a provider reports impossible counts, without a second call', async () => {
    const before = await scene.request('GET', '/api/metrics')
    for (const prompt_tokens of [-1_000, 1.5, 1e300]) {
      answer = { text: 'yes', usage: { ...usage, prompt_tokens, cached_tokens: 0 } }
      const prompt = await run('buyer')
      expect(prompt).to.include({ status: 'completed' })
      expect(prompt.cost).to.include({ complete: true })
      expect(prompt.cost.by_model[0]).to.include({ estimated: true, output: 60, reasoning: 40 })
      expect(await eventsOf(prompt.prompt_id)).to.have.length(1)
    }
    const { body } = await scene.request('GET', '/api/metrics')
    expect(body.total_tokens - before.body.total_tokens).to.be.within(300, 3_000)
  })

  it('is unknown where no price is known', async () => {
    const { prompt_id, cost } = await run('local')
    expect(cost).to.include({ usd: null, complete: false })
    const [{ payload }] = await eventsOf(prompt_id)
    expect(payload).to.include({ cost_usd: null, price: null })
  })

  it('is zero for models with the price zero, even without token counts', async () => {
    const { cost } = await run('free')
    expect(cost).to.include({ usd: 0, complete: true })
  })

  it('of a cached result is zero', async () => {
    const first = await run('frugal', { query: 'cached' })
    const second = await run('frugal', { query: 'cached' })
    expect(first.cost.usd).to.equal(COST)
    expect(second.cost).to.deep.equal({ usd: 0, complete: true, by_model: [] })
  })

  it('includes failed attempts once', async () => {
    const broken: ScriptedAnswer = { text: 'word '.repeat(100), usage, breaks: { after: 8, by: 'reset' } }
    answer = (index) => (index === 0 ? broken : { text: 'yes', usage })
    const { prompt_id, status, cost, token_usage } = await run('buyer')
    expect(status).to.equal('completed')
    const events = await eventsOf(prompt_id)
    expect(events).to.have.length(2)
    for (const { payload } of events) expect(payload.duration_ms).to.be.a('number')
    const sum = (field: string) =>
      events.reduce(
        (total: number, { payload }: { payload: Record<string, number> }) => total + (payload[field] ?? 0),
        0,
      )
    expect(token_usage).to.include({ total_tokens: sum('total_tokens') })
    expect(token_usage.by_model[0].calls).to.equal(2)
    expect(cost.usd).to.be.closeTo(sum('cost_usd'), 1e-12)
    expect(cost.by_model[0].estimated).to.equal(true)
  })

  it('of a canceled call is that of its usage so far', async () => {
    answer = { text: 'word '.repeat(400), usage, breaks: { after: 30, by: 'hang' } }
    for (const agent of ['buyer', 'claude']) {
      const seen = scene.provider.requests.length
      const id = await submit(agent, { query: agent })
      await scene.provider.request(seen)
      await new Promise((resolve) => setTimeout(resolve, 500))
      await scene.request('POST', `/api/prompts/${id}/cancel`)
      const { body } = await untilEnded(scene, id)
      expect(body.status).to.equal('canceled')
      const [{ payload }] = await eventsOf(id)
      expect(payload).to.include({ failed: 'aborted', usage: 'estimated' })
      // Anthropic tells what it was sent before it writes.
      expect(payload.buckets.input.source).to.equal(agent === 'claude' ? 'measured' : 'estimated')
      expect(payload.buckets.output).to.include({ source: 'estimated' })
      expect(payload.buckets.output.tokens).to.be.greaterThan(10)
      expect(body.cost).to.include({ usd: payload.cost_usd, complete: true })
      expect(body.cost.usd).to.be.greaterThan(0)
    }
  })

  it('of a call that is canceled before any output is unknown', async () => {
    answer = { hang: true }
    const seen = scene.provider.requests.length
    const id = await submit('buyer', { query: 'thinks in silence' })
    await scene.provider.request(seen)
    await scene.request('POST', `/api/prompts/${id}/cancel`)
    const { body } = await untilEnded(scene, id)
    const [{ payload }] = await eventsOf(id)
    expect(payload).to.include({ failed: 'aborted', usage: 'unknown', total_tokens: 0, cost_usd: null })
    expect(body.cost).to.include({ usd: null, complete: false })
    expect(body.token_usage.by_model[0].calls).to.equal(1)
  })

  it('of one-hour cache writes uses the one-hour price', async () => {
    answer = { text: 'yes', usage: { prompt_tokens: 1_010, completion_tokens: 10, cache_write_tokens: 1_000 } }
    const { prompt_id, cost } = await run('claude-hourly')
    const [{ payload }] = await eventsOf(prompt_id)
    expect(payload).to.include({ cache_write_tokens: 1_000, cache_write_1h_tokens: 1_000, usage: 'measured' })
    expect(cost.usd).to.equal((10 * 2 + 1_000 * 4 + 10 * 10) / 1_000_000)
  })

  it('of a call aborted by a worker shutdown is added to that of its repetition', async () => {
    answer = { text: 'word '.repeat(400), usage, breaks: { after: 30, by: 'hang' } }
    const seen = scene.provider.requests.length
    const id = await submit('buyer', { query: 'deploy' })
    await scene.provider.request(seen)
    await new Promise((resolve) => setTimeout(resolve, 500))
    process.kill(scene.worker.pid as number, 'SIGTERM')
    await eventually(
      async () => scene.worker.pid,
      (pid) => pid === undefined,
      60_000,
    )
    const { body: stopped } = await scene.request('GET', `/api/prompts/${id}`)
    expect(stopped).to.include({ status: 'running' })
    expect(stopped.cost.usd).to.be.greaterThan(0)
    answer = { text: 'yes', usage }
    await scene.worker.restart()
    const { body } = await untilEnded(scene, id)
    expect(body).to.include({ status: 'completed' })
    const [broken, made] = await eventsOf(id)
    expect(broken.payload).to.include({ failed: 'aborted', usage: 'estimated', cost_usd: stopped.cost.usd })
    expect(made.payload).to.include({ cost_usd: COST, usage: 'measured' })
    expect(body.cost.usd).to.be.closeTo(stopped.cost.usd + COST, 1e-12)
    expect(body.token_usage.by_model[0].calls).to.equal(2)
  })

  it('of a batch is the sum of its tasks', async () => {
    const tasks = Array.from({ length: 5 }, (_, n) => ({ query: `task ${n}` }))
    const { body } = await scene.request('POST', '/api/agents/buyer/batch', { tasks, wait: true })
    const batch = await scene.request('GET', `/api/batches/${body.batch_id}?results=false&inputs=false`)
    expect(batch.body.cost).to.include({ usd: 5 * COST, complete: true })
    expect(batch.body.cost.by_model[0]).to.include({ input: 3_000, cached: 2_000, output: 300, reasoning: 200 })
    const only = await scene.request('GET', `/api/batches/${body.batch_id}?fields=cost`)
    expect(only.body).to.deep.equal({ cost: batch.body.cost })
  })

  it('in the metrics series is the sum of all executions, by model', async () => {
    const { body: list } = await scene.request('GET', '/api/jobs?limit=200')
    const costs = await Promise.all(
      list.jobs.map(
        async ({ job_id }: { job_id: string }) => (await scene.request('GET', `/api/jobs/${job_id}`)).body.cost,
      ),
    )
    const { body: series } = await scene.request('GET', '/api/metrics/series?minutes=60')
    const sum = (all: { usd: number | null }[]) => all.reduce((total, { usd }) => total + (usd ?? 0), 0)
    expect(series.total.cost.usd).to.be.closeTo(sum(costs), 1e-9)
    expect(sum(series.points.map(({ cost }: { cost: { usd: number } }) => cost))).to.be.closeTo(sum(costs), 1e-9)
    expect(series.total.cost.complete, 'a model without a price was called').to.equal(false)
    const local = series.total.cost.by_model.find(({ provider }: { provider: string }) => provider === 'ollama')
    expect(local).to.include({ usd: null, complete: false })
  })
})
