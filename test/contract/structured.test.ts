import { expect } from 'chai'
import { fileURLToPath } from 'node:url'
import { TEST_AGENTS, untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

describe('An agent with schemas and checks', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startScene({ agentsDir: `${TEST_AGENTS},${AGENTS}` })
  })
  after(() => service.stop())

  const post = (path: string, body: unknown) => service.request('POST', path, body)

  async function run(prompt_name: string, inputs: object, more: object = {}) {
    const { status, body } = await post('/api/prompts', { prompt_name, inputs, ...more })
    expect(status, JSON.stringify(body)).to.equal(200)
    const prompt = (await untilEnded(service, body.prompt_id)).body
    const { traces } = (await service.request('GET', `/api/traces?job_id=${body.prompt_id}`)).body
    const events = traces as { event_type: string; agent_name: string; payload: Record<string, unknown> }[]
    const of = (type: string) => events.filter(({ event_type }) => event_type === type).map(({ payload }) => payload)
    return { id: body.prompt_id as string, prompt, of }
  }

  it('shows its schemas', async () => {
    const { body } = await service.request('GET', '/api/agents')
    const shown = (body.agents as { name: string }[]).find(({ name }) => name === 'scorer')
    expect(shown).to.have.nested.property('input.properties.text.type', 'string')
    expect(shown).to.have.deep.nested.property('input.required', ['text'])
    expect(shown).to.have.nested.property('output.properties.score.type', 'integer')
  })

  for (const [what, path, body, field] of [
    ['a prompt', '/api/prompts', { prompt_name: 'scorer', inputs: { text: 5 } }, 'inputs.text must be string'],
    [
      'a chain that it begins',
      '/api/prompts',
      { prompt_name: 'asking', inputs: {}, mode: 'sequential', agents: ['scorer', 'asking'] },
      `inputs must have required property 'text'`,
    ],
    ['a job', '/api/jobs', { pipeline_name: 'scorer', inputs: { text: 'a', times: 1.5 } }, 'inputs.times must be'],
    ['a chat', '/api/agents/scorer/chat', { message: 'hi' }, `inputs must have required property 'text'`],
    [
      'a batch, with the index of the task',
      '/api/agents/scorer/batch',
      { tasks: [{ text: 'a' }, { text: 'b' }, { text: null }] },
      'tasks[2].text must be string',
    ],
  ] as const) {
    it(`refuses wrong inputs of ${what}, and nothing is started`, async () => {
      const before = (await service.request('GET', '/api/jobs')).body.total
      const answer = await post(path, body)
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.contain(field).and.contain('"scorer"')
      expect((await service.request('GET', '/api/jobs')).body.total).to.equal(before)
    })
  }

  it('rejects invalid tasks that are added to a batch', async () => {
    const { body } = await post('/api/agents/scorer/batch', { tasks: [{ text: 'ab' }], wait: true })
    expect(body.results[0].response.result).to.deep.equal({ score: 4 })
    const added = await post(`/api/batches/${body.batch_id}/add-tasks`, { agent_name: 'scorer', tasks: [{}] })
    expect(added.status).to.equal(400)
    expect(added.body.detail).to.contain(`tasks[0] must have required property 'text'`)
  })

  it('receives the inputs as parsed by its schema, also as plain code', async () => {
    const { prompt, of } = await run('scorer', { text: 'abc' })
    expect(prompt).to.deep.include({ status: 'completed', outputs: { score: 6 }, inputs: { text: 'abc' } })
    expect(of('task_start')[0]?.inputs).to.deep.equal({ text: 'abc' })
  })

  it('as plain code fails when its output does not match, and keeps the output', async () => {
    const { prompt, of } = await run('scorer', { text: 'abc', answer: { score: 'many' } })
    expect(prompt.status).to.equal('failed')
    expect(prompt.error).to.equal('The answer does not fit: output.score must be integer')
    expect(prompt.outputs).to.deep.equal({ error: prompt.error, raw: { score: 'many' } })
    expect(of('error')[0]).to.include({ code: 'invalid_output' })
  })

  for (const [check, inputs, sentence] of [
    ['inputs', { text: 'secret' }, 'Secrets are not scored.'],
    ['answer', { text: 'a'.repeat(60) }, 'A score of 120 is not believable.'],
  ] as const) {
    it(`fails with the sentence of the check that refuses its ${check}`, async () => {
      const { prompt, of } = await run('scorer', inputs)
      expect(prompt).to.deep.include({ status: 'failed', error: sentence, outputs: { error: sentence } })
      expect(of('error')[0]).to.include({ code: 'guardrail_refused' })
    })
  }

  it('rejects invalid inputs of a calling agent with an error', async () => {
    const { prompt } = await run('asking', { agent: 'scorer', inputs: { text: 1 } })
    expect(prompt.status).to.equal('failed')
    expect(prompt.error).to.match(/scorer.* failed: The inputs do not fit: inputs\.text/)
  })

  it('is checked within a chain too', async () => {
    const chain = { mode: 'sequential', agents: ['asking', 'scorer'] }
    const { prompt, of } = await run('asking', { agent: 'instant', inputs: { text: 7 } }, chain)
    expect(prompt.error).to.contain('Agent "scorer" failed: The inputs do not fit: inputs.text')
    expect(of('error')[0]).to.include({ code: 'invalid_input' })
  })

  describe('that answers by a script', () => {
    it('is repaired as often as it says, at the price of its calls', async () => {
      const { id, prompt, of } = await run('guarded', { words: ['no', '{"word": 1}', '{"word": "good"}'] })
      expect(prompt).to.deep.include({ status: 'completed', outputs: { word: 'good' } })
      expect(of('task_complete')[0]).to.include({ repaired: true, steps: 3 })
      expect(prompt.token_usage).to.include({ total_tokens: 6 })
      expect(await service.counted(id)).to.deep.equal(['input', 'output'])
      const marks = await service.store.steps.find({ _id: { $gte: `${id}|0.check`, $lt: `${id}|0.check~` } }).toArray()
      expect(
        marks.map(({ _id }) => _id.slice(id.length + 1)).filter((path) => /^0\.check-(in|out)$/.test(path)),
      ).to.have.length(2)
    })

    it('spends nothing on inputs that its check refuses', async () => {
      const { id, prompt, of } = await run('guarded', { words: ['{"word": "good"}'], refuse: 'Not today.' })
      expect(prompt).to.deep.include({ status: 'failed', error: 'Not today.' })
      expect(prompt.token_usage.total_tokens).to.equal(0)
      expect(of('error')[0]).to.include({ code: 'guardrail_refused' })
      expect(await service.counted(id)).to.deep.equal(['input'])
    })

    it('does not end with an answer that its check refuses', async () => {
      const { prompt } = await run('guarded', { words: ['{"word": "bad"}'] })
      expect(prompt).to.deep.include({ status: 'failed', error: 'Bad words are not said.' })
    })

    for (const [what, refuse, sentence] of [
      ['throws', 'throw', 'The list of bad words is lost.'],
      ['gives neither true nor a sentence', 0, 'checkInput must give true or a sentence; it gave 0.'],
    ] as const) {
      it(`lets nothing pass when its check ${what}`, async () => {
        const { prompt, of } = await run('guarded', { words: [], refuse })
        expect(prompt).to.deep.include({ status: 'failed', error: sentence })
        expect(of('error')[0]).to.include({ code: 'guardrail_failed' })
      })
    }
  })
})
