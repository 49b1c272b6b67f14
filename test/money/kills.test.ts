import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderRequest, ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { budgetOf, expectBatchSumsAgree, expectSumsAgree } from './sums.ts'

/** Numbers of [0, 1) from a seed, so that a run that failed can be made again. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const SEED = 20_261_122
const JOBS = 30
const TASKS = 20
const KILLS = 3

describe('Budgets under faults', function () {
  this.timeout(300_000)
  let scene: MoneyScene
  let folder: string
  let isHeld = false
  const next = random(SEED)

  /** Answers at random: with tools or without, slowly, broken off in the middle, or not at all. */
  function answerOf({ body }: ProviderRequest): ScriptedAnswer {
    if (isHeld) return { hang: true }
    const luck = next()
    const usage = { prompt_tokens: 20 + Math.floor(next() * 60), completion_tokens: 1 + Math.floor(next() * 40) }
    const cached_tokens = Math.floor(next() * usage.prompt_tokens)
    if (luck < 0.08) return { status: 429, headers: { 'retry-after': '0' } }
    if (luck < 0.14) return { status: 503 }
    if (luck < 0.2) return { text: 'word '.repeat(50), breaks: { after: 5, by: 'reset' } }
    if (luck < 0.24) return { reset: true }
    const round = body.messages.filter(({ role }) => role === 'tool').length
    const shared = { usage: { ...usage, cached_tokens }, firstTokenMs: Math.floor(next() * 300) }
    const toolCalls = [{ name: 'double', arguments: { n: round } }]
    return round < 4 && luck < 0.85 ? { text: `round ${round}`, toolCalls, ...shared } : { text: 'done', ...shared }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(answerOf, folder)
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

  it(`whatever is killed, canceled or tried again, events, usage, cost and budgets agree (seed ${SEED})`, async () => {
    const budgets = [
      { tokens: 300 },
      { usd: 0.002 },
      { tokens: 100_000 },
      { usd: 1, onExceeded: 'answer' },
      { modelCalls: 6 },
    ]
    const batch = `b-${SEED}`
    const ofBatch = { batch_id: batch, budget: { tokens: 6_000, usd: 0.02 }, task_budget: { tokens: 1_000, usd: 1 } }
    const tasks = Array.from({ length: TASKS }, (_, index) => ({ query: `task ${index}` }))
    const { body: created } = await scene.request('POST', '/api/agents/spender/batch', { tasks, ...ofBatch })
    const jobs: string[] = []
    for (let index = 0; index < JOBS; index += 1) {
      const budget = { tokens: 50_000, usd: 0.5, ...budgets[index % budgets.length] }
      const isShared = index % 5 === 0
      const inputs = isShared ? { calls: 4, query: `job ${index}` } : { query: `job ${index}` }
      jobs.push(await submit(isShared ? 'director' : 'spender', inputs, budget))
    }
    const canceled = jobs.filter(() => next() < 0.15)
    const cancels = canceled.map(async (id) => {
      await sleep(next() * 6_000)
      await scene.request('POST', `/api/prompts/${id}/cancel`)
    })
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(500 + next() * 2_000)
      await scene.worker.kill9()
      await scene.worker.restart()
    }
    await Promise.all(cancels)
    const statuses = new Map<string, string>()
    for (const id of jobs) statuses.set(id, (await untilEnded(scene, id, 200_000)).body.status)
    await eventually(
      () => scene.request('GET', `/api/batches/${batch}?results=false`),
      ({ body }) => body.status === 'completed',
      200_000,
    )
    for (const id of [...jobs, ...(created.job_ids as string[])]) await expectSumsAgree(scene, id)
    await expectBatchSumsAgree(scene, batch)
    expect(new Set(statuses.values())).to.include.all.keys('completed', 'failed', 'canceled')
  })
})
