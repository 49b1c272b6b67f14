import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { playStorm, type StormEnd } from './storm.ts'
import { budgetOf, expectSumsAgree } from './sums.ts'

/** Which storms are played; those of a run that failed can be played again: `MONEY_SEEDS=3,17 npm test -- test/money/kills.test.ts`. */
const SEEDS = process.env.MONEY_SEEDS?.split(',').map(Number) ?? [1, 2, 3].map((n) => (Date.now() % 1_000_000) + n)

describe('Budgets under faults', function () {
  this.timeout(300_000)
  let scene: MoneyScene
  let folder: string
  let isHeld = false

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(() => (isHeld ? { hang: true } : { text: 'done' }), folder)
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const submit = async (prompt_name: string, inputs: object, budget: object): Promise<string> => {
    const { status, body } = await scene.request('POST', '/api/prompts', { prompt_name, inputs, budget })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.prompt_id
  }

  it('a worker that is killed between a reservation and its record leaves one that its successor gives back', async () => {
    isHeld = true
    const id = await submit('spender', { query: 'held' }, { tokens: 100_000, usd: 1 })
    const reserved = await eventually(
      async () => (await budgetOf(scene, `${id}|`).catch(() => undefined))?.reserved ?? {},
      (found) => Object.keys(found).length === 1,
    )
    await scene.worker.kill9()
    expect((await budgetOf(scene, `${id}|`)).reserved).to.deep.equal(reserved)
    isHeld = false
    await scene.worker.restart()
    const { body } = await untilEnded(scene, id, 120_000)
    expect(body.status, body.error).to.equal('completed')
    await expectSumsAgree(scene, id)
  })
})

describe('Events, usage, cost and budgets agree', function () {
  this.timeout(600_000)
  let folder: string
  let storms: Promise<StormEnd>[]

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    storms = SEEDS.map((seed) => playStorm(seed, folder))
    // Each is looked at by its own test.
    await Promise.allSettled(storms)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const [index, seed] of SEEDS.entries()) {
    it(`whatever is killed, frozen, cut off, canceled or tried again (MONEY_SEEDS=${seed})`, async () => {
      const { statuses, calls, estimateError } = (await storms[index]) as StormEnd
      expect(statuses).to.include.all.keys('completed', 'failed', 'canceled')
      expect(calls).to.be.above(100)
      expect(estimateError).to.be.at.least(0)
    })
  }
})
