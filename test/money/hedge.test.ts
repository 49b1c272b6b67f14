import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { ProviderRequest, ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { budgetOf, expectSumsAgree } from './sums.ts'

const usage = { prompt_tokens: 40, completion_tokens: 10 }
const LONG = Array.from({ length: 100 }, (_, index) => `word ${index}`).join(' ')
const at = (more: object): ScriptedAnswer => ({ text: 'one two three', usage, everyMs: 20, ...more })

/** Longer than the second call takes to begin, on a busy machine, too. */
const SLOW_MS = 6_000
const ENOUGH = { budget: { usd: 1, tokens: 10_000, modelCalls: 10 } }

/** What the calls of a prompt are answered, by what it asks. `hang` never answers. */
const ANSWERS: Record<string, ScriptedAnswer[]> = {
  'at once': [at({})],
  'the second is quicker': [{ hang: true }, at({})],
  'the first is quicker': [at({ firstTokenMs: SLOW_MS }), { hang: true }],
  'the second fails': [at({ firstTokenMs: SLOW_MS }), { status: 503 }],
  'both are ended': [{ hang: true }, { hang: true }],
  'is watched': [{ hang: true }, at({ text: LONG, everyMs: 100 })],
  'no room for a second answer': [at({ firstTokenMs: SLOW_MS })],
  'not enough for two': [at({ firstTokenMs: SLOW_MS })],
}

describe('A hedged model call', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string
  const asked = new Map<string, number>()

  function answerOf({ body }: ProviderRequest): ScriptedAnswer {
    const query = Object.keys(ANSWERS).find((each) => JSON.stringify(body.messages).includes(each)) ?? ''
    const time = asked.get(query) ?? 0
    asked.set(query, time + 1)
    return ANSWERS[query]?.[time] ?? { status: 400, message: 'asked too often' }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(answerOf, folder)
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function submit(query: string, more: object = ENOUGH, prompt_name = 'hedger'): Promise<string> {
    const prompt = { prompt_name, inputs: { query }, ...more }
    const { status, body } = await scene.request('POST', '/api/prompts', prompt)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.prompt_id
  }
  async function usages(id: string) {
    const events = await scene.store.traces.find({ job_id: id, event_type: 'llm_usage' }).sort({ _id: 1 }).toArray()
    return events.map(({ payload }) => {
      const { usage: source, failed = null, total_tokens, response, step } = JSON.parse(payload)
      // What is shown of an answer while it is written ends with the event of its step.
      expect(/\.h[0-9a-f]+$/.test(step), step).to.equal(failed === 'hedge_lost')
      return { source, failed, total_tokens, text: response.text }
    })
  }
  const callsOf = (query: string) =>
    scene.provider.requests.filter(({ body }) => JSON.stringify(body.messages).includes(query))
  const answered = { source: 'measured', failed: null, total_tokens: 50, text: 'one two three' }
  const lost = { source: 'unknown', failed: 'hedge_lost', total_tokens: 0, text: '' }

  it('is a single call when the output starts in time', async () => {
    const id = await submit('at once', ENOUGH, 'hedger-patient')
    expect((await untilEnded(scene, id)).body.outputs).to.deep.equal({ result: 'one two three' })
    expect(callsOf('at once')).to.have.length(1)
    expect(await usages(id)).to.deep.equal([answered])
  })

  it('uses the second call when that starts first, aborts the first, and counts both', async () => {
    const id = await submit('the second is quicker')
    const { body } = await untilEnded(scene, id)
    expect(body.outputs).to.deep.equal({ result: 'one two three' })
    const [first, second, ...more] = callsOf('the second is quicker')
    expect(more).to.deep.equal([])
    await first?.closed
    expect([first?.left(), second?.left()]).to.deep.equal([true, false])
    expect(await usages(id)).to.deep.equal([lost, answered])
    expect(body.budget.spent).to.include({ modelCalls: 2, tokens: 50 })
    await expectSumsAgree(scene, id)
  })

  it('uses the first call when that starts first, and aborts the second', async () => {
    const id = await submit('the first is quicker')
    expect((await untilEnded(scene, id)).body.status).to.equal('completed')
    const [first, second] = callsOf('the first is quicker')
    await second?.closed
    expect([first?.left(), second?.left()]).to.deep.equal([false, true])
    expect(await usages(id)).to.deep.equal([lost, answered])
    await expectSumsAgree(scene, id)
  })

  it('waits for the other call when one fails', async () => {
    const id = await submit('the second fails')
    expect((await untilEnded(scene, id)).body.outputs).to.deep.equal({ result: 'one two three' })
    expect(callsOf('the second fails')).to.have.length(2)
    expect(await usages(id)).to.deep.equal([answered])
    await expectSumsAgree(scene, id)
  })

  it('streams one text to watchers', async () => {
    const id = await submit('is watched', {})
    const socket = new WebSocket(`${scene.api.url.replace('http', 'ws')}/ws/prompts/${id}?deltas=true`)
    const deltas: { offset: number; text: string }[] = []
    socket.on('message', (data: Buffer) => {
      const { type, data: delta } = JSON.parse(String(data))
      if (type === 'delta') deltas.push(delta)
    })
    expect((await untilEnded(scene, id)).body.outputs).to.deep.equal({ result: LONG })
    socket.close()
    const whole = deltas.reduce((text, { offset, text: piece }) => text.slice(0, offset) + piece, '')
    expect(whole).to.have.length.above(10)
    expect(LONG.startsWith(whole), whole).to.equal(true)
  })

  it('ends both calls with the run', async () => {
    const id = await submit('both are ended')
    await eventually(
      () => Promise.resolve(callsOf('both are ended')),
      (calls) => calls.length === 2,
    )
    await scene.request('POST', `/api/prompts/${id}/cancel`)
    expect((await untilEnded(scene, id)).body.status).to.equal('canceled')
    for (const { closed } of callsOf('both are ended')) await closed
    await eventually(
      () => budgetOf(scene, `${id}|`),
      ({ reserved }) => Object.keys(reserved).length === 0,
    )
    await expectSumsAgree(scene, id)
  })

  it('makes no second call whose output could be truncated', async () => {
    const id = await submit('no room for a second answer', { budget: { tokens: 20_000 } }, 'hedger-at-length')
    expect((await untilEnded(scene, id)).body.status).to.equal('completed')
    expect(callsOf('no room for a second answer')).to.have.length(1)
    await expectSumsAgree(scene, id)
  })

  it('makes no second call when the budget is too small for two', async () => {
    const id = await submit('not enough for two', { budget: { modelCalls: 1 } })
    expect((await untilEnded(scene, id)).body.status).to.equal('completed')
    expect(callsOf('not enough for two')).to.have.length(1)
    expect(await usages(id)).to.deep.equal([answered])
  })
})
