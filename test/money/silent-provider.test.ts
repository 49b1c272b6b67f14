import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'

const usage = { prompt_tokens: 40, completion_tokens: 10 }
const SILENT_CALLS = 2

describe('A provider that does not respond', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string
  let asked = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    const answer = () => ((asked += 1) <= SILENT_CALLS ? { hang: true } : { text: 'at last', usage })
    scene = await startMoneyScene(answer, folder, { env: { MODEL_TIMEOUT_MS: '1000' } })
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('does not use up the model calls of a budget, and its cost is unknown', async () => {
    const inputs = { query: 'say something' }
    const { body } = await scene.request('POST', '/api/prompts', {
      prompt_name: 'buyer',
      inputs,
      budget: { modelCalls: 1 },
    })
    const prompt = (await untilEnded(scene, body.prompt_id, 60_000)).body
    expect(prompt.status, JSON.stringify(prompt.outputs)).to.equal('completed')
    expect(asked).to.equal(SILENT_CALLS + 1)
    expect(prompt.budget.spent.modelCalls).to.equal(1)
    expect(prompt.token_usage.by_model[0].calls).to.equal(SILENT_CALLS + 1)
    expect(prompt.cost.complete).to.equal(false)
  })
})
