import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderRequest, ScriptedAnswer } from '../support/provider-server.ts'
import { budgetsOf } from '../../store/spending/budgets.ts'
import { untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { budgetOf, expectSumsAgree, usedByEvents } from './sums.ts'

const usage = { prompt_tokens: 40, completion_tokens: 10 }

/** Asks for a tool again and again; says something when it must not; is slow when it is told to. */
function answerOf({ body }: ProviderRequest): ScriptedAnswer {
  const asked = JSON.stringify(body.messages)
  if (body.tool_choice === 'none') return { text: 'my last word', usage }
  if (asked.includes('kept')) {
    return body.max_completion_tokens === undefined && body.max_tokens === undefined
      ? { text: 'the whole answer', usage }
      : { text: 'the whole', usage, finish: 'length' }
  }
  if (asked.includes('slowly')) return { text: 'late', usage, firstTokenMs: 20_000 }
  if (asked.includes('once')) return { text: 'done', usage }
  const round = body.messages.filter(({ role }) => role === 'tool').length
  return { text: `round ${round}`, toolCalls: [{ name: 'double', arguments: { n: round } }], usage }
}

describe('Budgets', function () {
  this.timeout(120_000)
  let scene: MoneyScene
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    scene = await startMoneyScene(answerOf, folder)
  })
  after(async () => {
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const submit = (prompt_name: string, budget: unknown, query = 'loop') =>
    scene.request('POST', '/api/prompts', { prompt_name, inputs: { query }, budget })
  const run = async (name: string, budget?: unknown, query?: string) => {
    const { status, body } = await submit(name, budget, query)
    expect(status, JSON.stringify(body)).to.equal(200)
    return (await untilEnded(scene, body.prompt_id)).body
  }
  const eventsOf = async (job: string, type: string) => {
    const { body } = await scene.request('GET', `/api/traces?job_id=${job}&limit=1000`)
    return body.traces.filter(({ event_type }: { event_type: string }) => event_type === type)
  }

  it('end a run that would exceed a limit, and keep its partial result', async () => {
    const prompt = await run('spender', { modelCalls: 2 })
    expect(prompt).to.include({ status: 'failed' })
    expect(prompt.error).to.match(/budget of 2 model calls .* 2 model calls spent/)
    expect(prompt.outputs).to.deep.equal({ error: prompt.error, partial: 'round 1' })
    expect(prompt.token_usage.by_model[0].calls).to.equal(2)
    const [error] = await eventsOf(prompt.prompt_id, 'error')
    expect(error.payload.code).to.equal('budget_exceeded')
    expect(prompt.budget.limits).to.deep.equal({ usd: null, tokens: null, ms: null, modelCalls: 2, toolCalls: null })
    expect(prompt.budget.spent.modelCalls).to.equal(2)
  })

  it('limit tokens, money and tool calls, and shorten the last response to the rest', async () => {
    for (const [budget, field, sentence] of [
      [{ tokens: 600 }, 'tokens', /of 600 tokens/],
      [{ usd: 0.0011 }, 'usd', /of \$0\.0011/],
      [{ toolCalls: 3 }, 'toolCalls', /of 3 tool calls/],
    ] as const) {
      const prompt = await run('spender', budget)
      expect(prompt.status, JSON.stringify(prompt.outputs)).to.equal('failed')
      expect(prompt.error).to.match(sentence)
      expect(prompt.budget.spent[field]).to.be.at.most(prompt.budget.limits[field])
      expect(prompt.budget.spent[field]).to.be.at.least(prompt.budget.limits[field] / 2)
      if (field !== 'toolCalls') await expectSumsAgree(scene, prompt.prompt_id)
    }
    const limits = scene.provider.requests.map(({ body }) => Number(body.max_completion_tokens ?? body.max_tokens))
    expect(Math.max(...limits.filter(Number.isFinite))).to.equal(100)
    expect(Math.min(...limits.filter(Number.isFinite))).to.be.within(16, 99)
  })

  it('beyond the output limit of a model do not set that limit', async () => {
    const prompt = await run('buyer', { usd: 100 }, 'once')
    expect(prompt.status, JSON.stringify(prompt.outputs)).to.equal('completed')
  })

  it('with onExceeded=answer let the agent give a final answer without tools', async () => {
    const prompt = await run('spender', { modelCalls: 4, onExceeded: 'answer' })
    expect(prompt).to.include({ status: 'completed' })
    expect(prompt.outputs).to.deep.equal({ result: 'my last word' })
    expect(prompt.budget.spent.modelCalls).to.equal(4)
    const tools = await run('spender', { toolCalls: 2, onExceeded: 'answer' })
    expect(tools).to.include({ status: 'completed' })
    expect(tools.outputs).to.deep.equal({ result: 'my last word' })
    expect(await eventsOf(tools.prompt_id, 'tool_call')).to.have.length(3)
  })

  it('may truncate outputs, which are then not cached', async () => {
    const asked = () => scene.provider.requests.filter(({ body }) => JSON.stringify(body).includes('kept')).length
    const cut = await run('frugal', { tokens: 200 }, 'kept')
    const whole = await run('frugal', undefined, 'kept')
    const again = await run('frugal', { tokens: 200 }, 'kept')
    expect([cut, whole, again].map(({ outputs }) => outputs.result)).to.deep.equal([
      ...['the whole', 'the whole answer', 'the whole answer'],
    ])
    expect(asked()).to.equal(2)
    const [said] = await eventsOf(cut.prompt_id, 'llm_usage')
    expect(said.payload).to.include({ cut_off: true })
  })

  it('of an agent and a request both apply', async () => {
    const own = await run('saver', { modelCalls: 30 })
    expect(own.token_usage.by_model[0].calls).to.equal(2)
    expect(own.status).to.equal('completed')
    const given = await run('saver', { modelCalls: 1 })
    expect(given.token_usage.by_model[0].calls).to.equal(1)
    expect(given.status).to.equal('failed')
  })

  it('record one warning event when most of a limit is spent', async () => {
    const { prompt_id } = await run('spender', { modelCalls: 10, warnAt: 0.5 })
    const warnings = await eventsOf(prompt_id, 'budget_warning')
    expect(warnings).to.have.length(1)
    expect(warnings[0].payload).to.include({ budget: 'execution', spent_share: 0.5 })
  })

  it('limit the time of models and tools, and end a call at the limit', async () => {
    const since = Date.now()
    const prompt = await run('spender', { ms: 1_500 }, 'slowly')
    expect(prompt.error).to.match(/budget of 1500 ms/)
    expect(Date.now() - since).to.be.below(15_000)
  })

  it('of time also end a tool of a called agent, whose signal fires and which starts no further step', async () => {
    const { prompt_id, status, outputs } = await run('overseer')
    expect(status, JSON.stringify(outputs)).to.equal('completed')
    expect(outputs.said).to.match(/budget of 1500 ms/)
    const lines = await scene.counted(prompt_id)
    expect(lines, 'it was at work').to.include('paid')
    expect(lines.slice(-2), 'it began nothing after its signal').to.deep.equal(['told', 'went on'])
  })

  it('are shared with delegates, fifty of which never exceed a limit together', async () => {
    const inputs = { calls: 50, query: 'once' }
    const body = { prompt_name: 'director', inputs, budget: { tokens: 1_500 } }
    const { body: created } = await scene.request('POST', '/api/prompts', body)
    const ended = await untilEnded(scene, created.prompt_id, 90_000)
    const { tokens, calls, estimateError } = await expectSumsAgree(scene, created.prompt_id)
    expect(tokens, JSON.stringify(ended.body.budget)).to.be.at.most(1_500 + estimateError)
    expect(calls).to.be.within(10, 49)
    const failed = await eventsOf(created.prompt_id, 'error')
    expect(failed.map(({ payload }: { payload: { code: string } }) => payload.code)).to.include('budget_exceeded')
  })

  for (const [calls, toolCalls] of [
    [1, 1],
    [3, 3],
    [3, 5],
  ]) {
    it(`of ${toolCalls} tool calls end ${calls} tools that wait for tools themselves, and do not let them wait for ever`, async () => {
      const body = { prompt_name: 'outsourcer', inputs: { calls }, budget: { toolCalls } }
      const { body: created } = await scene.request('POST', '/api/prompts', body)
      const { body: ended } = await untilEnded(scene, created.prompt_id)
      expect(ended.status, JSON.stringify(ended.outputs)).to.equal('completed')
      expect(ended.outputs.result).to.match(
        new RegExp(`budget of ${toolCalls} tool calls? .* ${toolCalls} tool calls? spent`),
      )
      expect(ended.budget.spent.toolCalls).to.equal(toolCalls)
      await expectSumsAgree(scene, created.prompt_id)
    })
  }

  it('of a batch are shared by its tasks', async () => {
    const id = `b-${randomUUID()}`
    const tasks = Array.from({ length: 12 }, (_, n) => ({ query: `once ${n}` }))
    const submitted = await scene.request('POST', '/api/agents/spender/batch', {
      ...{ tasks, batch_id: id, wait: true },
      ...{ budget: { modelCalls: 5 }, task_budget: { modelCalls: 1 } },
    })
    expect(submitted.status).to.equal(200)
    const { body } = await scene.request('GET', `/api/batches/${id}`)
    expect(body.outputs.summary).to.include({ succeeded: 5, failed: 7 })
    expect(body.budget.spent.modelCalls).to.equal(5)
    expect(await budgetOf(scene, `batch|${id}`)).to.deep.include({ reserved: {}, left: { model_calls: 0 } })
    const more = { tasks: [{ query: 'once more' }], batch_id: id }
    const other = await scene.request('POST', '/api/agents/spender/batch', { ...more, budget: { modelCalls: 50 } })
    expect(other.status).to.equal(400)
    expect(other.body.detail).to.match(/its budget cannot be changed/)
    expect(
      (await scene.request('POST', '/api/agents/spender/batch', { ...more, wait: true })).body.results[0].status,
    ).to.equal('error')
    await scene.request('DELETE', `/api/batches/${id}`)
    expect(await budgetsOf(scene.store).findOne({ _id: `batch|${id}` })).to.equal(null)
  })

  it('are accepted for jobs and chats, too', async () => {
    const job = await scene.request('POST', '/api/jobs', {
      ...{ pipeline_name: 'spender', inputs: { query: 'loop' }, budget: { modelCalls: 1 } },
    })
    expect(job.body).to.include({ status: 'error' })
    const chat = await scene.request('POST', '/api/agents/spender/chat', { message: 'loop', budget: { modelCalls: 1 } })
    expect(chat.body).to.include({ status: 'failed' })
    expect(chat.body.response.error).to.match(/budget of 1 model call /)
  })

  it('in dollars do not limit the output of a free model', async () => {
    const asked = scene.provider.requests.length
    const prompt = await run('own-machine', { usd: 0.01 }, 'once')
    expect(prompt).to.include({ status: 'completed' })
    expect(prompt.cost).to.include({ usd: 0, complete: true })
    expect(scene.provider.requests[asked]?.body).not.to.have.any.keys('max_tokens', 'max_completion_tokens')
  })

  it('in dollars are rejected when a price is unknown', async () => {
    const { status, body } = await submit('local', { usd: 1 }, 'once')
    expect(status).to.equal(400)
    expect(body.detail).to.match(
      /budget\.usd cannot be enforced for agent "local": the price of ollama\/llama3 is unknown/,
    )
    const { body: listed } = await scene.request('GET', '/api/agents')
    expect(listed.agents.map(({ name }: { name: string }) => name)).not.to.include('broke')
  })

  for (const [what, budget, sentence] of [
    ['an empty one', {}, /budget must limit at least one of/],
    ['one of nothing', { usd: 0 }, /budget\.usd must be a number of US dollars above 0/],
    ['one of more than there is', { usd: 1e308 }, /budget\.usd must be .* at most 1,000,000/],
    ['part of a token', { tokens: 1.5 }, /budget\.tokens must be a whole number/],
    ['an unknown limit', { dollars: 1 }, /dollars/],
    ['an unknown end', { tokens: 5, onExceeded: 'stop' }, /budget\.onExceeded must be/],
  ] as const) {
    it(`are refused: ${what}`, async () => {
      const { status, body } = await submit('spender', budget)
      expect(status).to.equal(400)
      expect(body.detail).to.match(sentence)
    })
  }

  /** Returns the collections that are read or written during the work. */
  async function touchedBy(work: () => Promise<unknown>): Promise<string[]> {
    const { db } = scene.store
    await db.collection('system.profile').drop()
    await db.command({ profile: 2 })
    await work().finally(() => db.command({ profile: 0 }))
    const names = await db.collection('system.profile').distinct('ns')
    return names.map((name: string) => name.slice(db.databaseName.length + 1))
  }

  it('cause no read and no write in a run without a budget', async () => {
    const touched = await touchedBy(async () => {
      const prompt = await run('spender', undefined, 'once')
      expect(prompt).to.include({ status: 'completed', budget: null })
      expect(await scene.store.executions.findOne({ _id: prompt.prompt_id })).not.to.have.any.keys('budgeted', 'budget')
      expect((await usedByEvents(scene, prompt.prompt_id)).calls).to.equal(1)
    })
    expect(touched).to.include('executions').and.not.include('budgets')
  })

  it('cause no read and no write in a run without a provider, as caches and live text do', async () => {
    const touched = await touchedBy(() => run('free'))
    expect(touched).to.include('steps').and.not.include.oneOf(['budgets', 'cache', 'partials'])
  })

  it('are deleted with their execution', async () => {
    const { prompt_id } = await run('spender', { modelCalls: 1 })
    expect(await budgetOf(scene, `${prompt_id}|`)).to.be.an('object')
    await scene.request('DELETE', `/api/jobs/${prompt_id}`)
    expect(await budgetsOf(scene.store).findOne({ _id: `${prompt_id}|` })).to.equal(null)
  })
})
