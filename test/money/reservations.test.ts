import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import type { ProviderRequest, ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { PRICES, startMoneyScene, type MoneyScene } from './scene.ts'
import { budgetOf, expectSumsAgree } from './sums.ts'

const FAR_AGENTS = fileURLToPath(new URL('./pool-agents', import.meta.url))
const usage = { prompt_tokens: 40, completion_tokens: 10 }
const PARALLEL = 20
const TIME_MS = 4_000

describe('Reservations', function () {
  this.timeout(240_000)
  let scene: MoneyScene
  let folder: string
  let held: (request: ProviderRequest) => boolean = () => false

  function answerOf(request: ProviderRequest): ScriptedAnswer {
    if (held(request)) return { hang: true }
    const asked = JSON.stringify(request.body.messages)
    if (asked.includes('slowly')) return { text: 'late', usage, firstTokenMs: 1_000 }
    const round = request.body.messages.filter(({ role }) => role === 'tool').length
    if (asked.includes('twice') && round === 0) {
      return { text: 'a tool', toolCalls: [{ name: 'double', arguments: { n: 1 } }], usage }
    }
    return { text: 'done', usage }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(answerOf, folder)
  })
  afterEach(() => {
    held = () => false
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const submit = async (prompt_name: string, query: string, more: object): Promise<string> => {
    const { status, body } = await scene.request('POST', '/api/prompts', { prompt_name, inputs: { query }, ...more })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.prompt_id
  }
  const untilReserved = (budget: string) =>
    eventually(
      async () => (await budgetOf(scene, budget).catch(() => undefined))?.reserved ?? {},
      (found) => Object.keys(found).length > 0,
    )
  const untilNothingReserved = (budget: string) =>
    eventually(
      async () => (await budgetOf(scene, budget)).reserved,
      (found) => Object.keys(found).length === 0,
    )

  it('of a called agent that is given up, because its worker was lost again and again, are given back', async () => {
    const far: ServiceProcess = await startWorker({ env: scene.env, pool: 'far', agentsDir: FAR_AGENTS })
    try {
      held = ({ body }) => JSON.stringify(body.messages).includes('far')
      const id = await submit('far-director', 'go', { budget: { tokens: 10_000, usd: 1 } })
      for (let lost = 0; lost < 3; lost += 1) {
        const before = scene.provider.requests.length
        await eventually(
          () => Promise.resolve(scene.provider.requests.length),
          (count) => count > before || (lost === 0 && count > 0),
          60_000,
        )
        await untilReserved(`${id}|`)
        await far.kill9()
        await far.restart()
      }
      const { body } = await untilEnded(scene, id, 120_000)
      expect(body.status, body.error).to.equal('completed')
      expect(JSON.stringify(body.outputs)).to.contain('died or froze')
      await expectSumsAgree(scene, id)
    } finally {
      await far.stop()
    }
  })

  it('of a run whose answer is in the cache by the time that it is taken up again are given back', async () => {
    held = () => true
    const budget = { tokens: 10_000 }
    const id = await submit('frugal', 'the same', { budget })
    await untilReserved(`${id}|`)
    await scene.worker.kill9()
    held = () => false
    const other = await submit('frugal', 'the same', { budget, no_cache: true })
    await scene.worker.restart()
    expect((await untilEnded(scene, other)).body.status).to.equal('completed')
    const { body } = await untilEnded(scene, id, 90_000)
    expect(body).to.include({ status: 'completed' })
    expect(body.token_usage.total_tokens).to.equal(0)
    await expectSumsAgree(scene, id)
  })

  it('of a batch that is canceled while its worker is dead are given back', async () => {
    held = () => true
    const batch_id = `b-${randomUUID()}`
    const tasks = [{ query: 'one' }, { query: 'two' }]
    await scene.request('POST', '/api/agents/spender/batch', { tasks, batch_id, budget: { modelCalls: 2 } })
    await untilReserved(`batch|${batch_id}`)
    await scene.worker.kill9()
    await scene.request('POST', `/api/batches/${batch_id}/cancel`)
    await scene.worker.restart()
    await eventually(
      () => scene.request('GET', `/api/batches/${batch_id}?results=false`),
      ({ body }) => body.status === 'canceled' && body.completed_at !== null,
      60_000,
    )
    await untilNothingReserved(`batch|${batch_id}`)
    expect((await budgetOf(scene, `batch|${batch_id}`)).left).to.deep.equal({ model_calls: 2 })
  })

  it('of a tool that a cancel ends are given back', async () => {
    const id = await submit('dawdler', 'wait', { budget: { toolCalls: 5, modelCalls: 5 } })
    await eventually(
      async () => Object.values((await budgetOf(scene, `${id}|`).catch(() => undefined))?.reserved ?? {}),
      (found) => found.some(({ tool_calls }) => tool_calls === 1),
    )
    await scene.request('POST', `/api/prompts/${id}/cancel`)
    expect((await untilEnded(scene, id)).body.status).to.equal('canceled')
    await untilNothingReserved(`${id}|`)
  })

  it(`of time are made in pieces: ${PARALLEL} calls at once never pass a budget of time together`, async () => {
    const inputs = { calls: PARALLEL, query: 'slowly' }
    const budget = { ms: TIME_MS }
    const { body: created } = await scene.request('POST', '/api/prompts', { prompt_name: 'director', inputs, budget })
    const { body } = await untilEnded(scene, created.prompt_id, 120_000)
    expect(body.budget.spent.ms, JSON.stringify(body.budget)).to.be.within(TIME_MS / 2, TIME_MS * 2)
    expect((await budgetOf(scene, `${created.prompt_id}|`)).reserved).to.deep.equal({})
  })

  it('and records: what a call cost stays as it is when the price changes before the run is taken up again', async () => {
    held = ({ body }) => body.messages.some(({ role }) => role === 'tool')
    const id = await submit('spender', 'twice', { budget: { usd: 1 } })
    await eventually(
      () => scene.store.steps.countDocuments({ job_id: id, result: { $ne: null } }),
      (count) => count >= 2,
    )
    const before = (await scene.request('GET', `/api/prompts/${id}`)).body.cost
    expect(before.usd).to.be.above(0)
    await scene.worker.kill9()
    held = () => false
    const dearer = { input: 10, output: 40, cache_read: 1 }
    await writeFile(scene.env.PRICES_FILE ?? '', JSON.stringify({ ...PRICES, 'openai/gpt-5-mini': dearer }))
    try {
      await scene.worker.restart()
      const { body } = await untilEnded(scene, id, 90_000)
      expect(body.status, body.error).to.equal('completed')
      const events = await scene.store.traces.find({ job_id: id, event_type: 'llm_usage' }).sort({ _id: 1 }).toArray()
      const costs = events.map(({ payload }) => JSON.parse(payload).cost_usd as number)
      expect(costs[0]).to.equal(before.usd)
      expect(costs[1]).to.be.closeTo(before.usd * 10, 1e-9)
      expect(body.cost.usd).to.be.closeTo(before.usd * 11, 1e-9)
      await expectSumsAgree(scene, id)
    } finally {
      await writeFile(scene.env.PRICES_FILE ?? '', JSON.stringify(PRICES))
      await scene.worker.kill9()
      await scene.worker.restart()
    }
  })
})
