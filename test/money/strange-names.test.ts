import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { expectSumsAgree } from './sums.ts'

const usage = { prompt_tokens: 40, completion_tokens: 10 }

describe('Models of strange names', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    const LIMITS = '{"openai/a.b$c": {"rpm": 6000}, "openai-compatible/__proto__": {"rpm": 6000}}'
    scene = await startMoneyScene(() => ({ text: 'yes', usage }), folder, { env: { LIMITS } })
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const [agent, provider, model] of [
    ['named-proto', 'openai-compatible', '__proto__'],
    ['named-strangely', 'openai', 'a.b$c'],
  ] as const) {
    it(`are counted as any other: ${provider}/${model}`, async () => {
      const request = { prompt_name: agent, inputs: { query: 'q' }, budget: { tokens: 9_000 } }
      const { body } = await scene.request('POST', '/api/prompts', request)
      const { body: prompt } = await untilEnded(scene, body.prompt_id)
      expect(prompt.status, prompt.error).to.equal('completed')
      expect(prompt.token_usage.by_model).to.deep.equal([{ provider, model, ...usage, total_tokens: 50, calls: 1 }])
      expect(prompt.cost.by_model[0]).to.include({ provider, model, usd: null, complete: false, input: 40, output: 10 })
      await expectSumsAgree(scene, body.prompt_id)
      const tasks = [{ query: 'a' }, { query: 'b' }]
      await scene.request('POST', `/api/agents/${agent}/batch`, { tasks, batch_id: `of-${agent}`, wait: true })
      const { body: batch } = await scene.request('GET', `/api/batches/of-${agent}`)
      expect(batch.outputs.summary).to.include({ succeeded: 2 })
      expect(batch.cost.by_model[0]).to.include({ provider, model, input: 80, output: 20 })
      const { body: limits } = await scene.request('GET', '/api/limits')
      expect(JSON.stringify(limits)).to.include(`${provider}/${model}`)
    })
  }
})
