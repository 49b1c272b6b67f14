import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100 }
/** At the published price of gpt-5-nano. */
const STANDARD = (1_000 * 0.05 + 100 * 0.4) / 1_000_000

describe('A service tier without a price', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string
  let serviceTier: string | undefined

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    const answer = () => ({ text: 'yes', usage, ...(serviceTier !== undefined && { serviceTier }) })
    scene = await startMoneyScene(answer, folder, { env: { OPENAI_API: 'responses' } })
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const submit = (prompt_name: string, budget?: object) =>
    scene.request('POST', '/api/prompts', { prompt_name, inputs: { query: 'q' }, budget })
  const run = async (name: string, budget?: object) => {
    const { status, body } = await submit(name, budget)
    expect(status, JSON.stringify(body)).to.equal(200)
    const prompt = (await untilEnded(scene, body.prompt_id)).body
    const { body: traces } = await scene.request('GET', `/api/traces?job_id=${body.prompt_id}&limit=100`)
    const call = traces.traces.find(({ event_type }: { event_type: string }) => event_type === 'llm_usage')
    return { prompt, call: call.payload }
  }

  it('has an unknown cost; for budgets, a cheaper one counts as the standard tier', async () => {
    serviceTier = 'flex'
    const { prompt, call } = await run('tiered-flex', { usd: 1 })
    expect(prompt.status, JSON.stringify(prompt.outputs)).to.equal('completed')
    expect(prompt.cost).to.include({ usd: null, complete: false })
    expect(call).to.include({ service_tier: 'flex', cost_usd: null, price: null })
    expect(prompt.budget.spent.usd).to.equal(STANDARD)
  })

  it('that is more expensive is rejected with a budget in dollars', async () => {
    const refused = await eventually(
      () => submit('tiered-priority', { usd: 1 }),
      ({ status }) => status !== 404,
    )
    expect(refused.status).to.equal(400)
    expect(refused.body.detail).to.include('openai/gpt-5-nano@priority').and.include('PRICES_FILE')
    serviceTier = 'priority'
    expect((await run('tiered-priority')).prompt.cost).to.include({ usd: null, complete: false })
    serviceTier = 'default'
    const { prompt } = await run('tiered-priority')
    expect(prompt.cost, 'it was served as any other').to.include({ usd: STANDARD, complete: true })
  })

  it('that was not requested is recognized in the response', async () => {
    serviceTier = 'priority'
    const { prompt, call } = await run('tiered', { usd: 1 })
    expect(prompt.cost).to.include({ usd: null, complete: false })
    expect(call.service_tier).to.equal('priority')
    expect(prompt.budget.spent.usd).to.equal(STANDARD)
  })
})
