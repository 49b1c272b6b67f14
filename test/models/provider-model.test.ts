import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { configFor, failureOf, KEY, request, search } from './scene.ts'

describe('a model of a provider', () => {
  let server: ProviderServer

  async function serve(script: ScriptedAnswer[], name = 'openai/some-model', totalMs = 60_000) {
    server = await startProviderServer(script)
    return createModels({ config: { ...configFor(server.url), MODEL_TIMEOUT_MS: totalMs } })(name)
  }

  afterEach(async () => {
    await server.close()
  })

  it('answers with text and the usage that the provider measured', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7, cached_tokens: 60 }
    const model = await serve([{ text: 'Hi.', usage }])
    expect(await model.generate(request({ tools: [search] }))).to.deep.equal({
      provider: 'openai',
      model: 'some-model',
      text: 'Hi.',
      calls: [],
      usage: { ...usage, cache_write_tokens: 0, reasoning_tokens: 0, source: 'measured', prompt_source: 'measured' },
    })
    const [sent] = server.requests
    expect(sent?.path).to.equal('/v1/chat/completions')
    expect(sent?.headers.authorization).to.equal(`Bearer ${KEY}`)
    expect(sent?.body.model).to.equal('some-model')
    expect(sent?.body.messages.map((message) => [message.role, message.content])).to.deep.equal([
      ['system', 'Be brief.'],
      ['user', 'Hello'],
    ])
    expect(sent?.body.tools?.[0]?.function).to.include({ name: 'search', description: 'Searches.' })
  })

  it('asks for tool calls, and the results go back under the same ids', async () => {
    const model = await serve([
      { text: 'Let me see.', toolCalls: [{ id: 'call_a', name: 'search', arguments: { text: 'x' } }] },
      { text: 'Done.' },
    ])
    const first = await model.generate(request({ tools: [search] }))
    expect(first.calls).to.deep.equal([{ id: 'call_a', name: 'search', arguments: { text: 'x' } }])
    await model.generate(
      request({
        tools: [search],
        step: 1,
        turns: [
          { role: 'user', text: 'Hello' },
          { role: 'assistant', text: first.text, calls: first.calls },
          { role: 'tool', results: [{ id: 'call_a', name: 'search', output: '{"hits":3}', isError: false }] },
        ],
      }),
    )
    const [, , assistant, result] = server.requests[1]?.body.messages ?? []
    expect(assistant).to.deep.include({ role: 'assistant', content: 'Let me see.' })
    expect(assistant?.tool_calls).to.deep.equal([
      { id: 'call_a', type: 'function', function: { name: 'search', arguments: '{"text":"x"}' } },
    ])
    expect(result).to.deep.equal({ role: 'tool', tool_call_id: 'call_a', content: '{"hits":3}' })
  })

  it('gives malformed arguments as text, and calls of unknown tools as they are', async () => {
    const model = await serve([
      {
        toolCalls: [
          { id: 'a', name: 'search', arguments: '{"text": "x' },
          { id: 'b', name: 'search', arguments: '"text"' },
          { id: 'c', name: 'unknown', arguments: { y: 1 } },
          { id: 'd', name: 'search', arguments: '' },
        ],
      },
    ])
    const { calls } = await model.generate(request({ tools: [search] }))
    expect(calls).to.deep.equal([
      { id: 'a', name: 'search', arguments: {}, malformed: '{"text": "x' },
      { id: 'b', name: 'search', arguments: {}, malformed: '"text"' },
      { id: 'c', name: 'unknown', arguments: { y: 1 } },
      { id: 'd', name: 'search', arguments: {} },
    ])
  })

  it('shows names that providers refuse in another form, and understands the answer', async () => {
    const model = await serve([{ toolCalls: [{ id: 'a', name: 'team_writer', arguments: {} }] }])
    const { calls } = await model.generate(request({ tools: [{ ...search, name: 'team.writer' }] }))
    expect(calls[0]?.name).to.equal('team.writer')
    expect(server.requests[0]?.body.tools?.[0]?.function).to.include({ name: 'team_writer' })
  })

  it('estimates the usage when the provider leaves it out', async () => {
    const model = await serve([{ text: 'x'.repeat(400), usage: null }])
    const { usage } = await model.generate(request())
    expect(usage.source).to.equal('estimated')
    expect(usage.completion_tokens).to.be.within(100, 110)
    expect(usage.prompt_tokens).to.be.greaterThan(0)
  })

  it('estimates the usage when what the provider counted cannot be', async () => {
    const usage = { prompt_tokens: -100, completion_tokens: 1e300 }
    const model = await serve([{ text: 'x'.repeat(400), usage }])
    const counted = (await model.generate(request())).usage
    expect(counted).to.include({ source: 'estimated', prompt_source: 'estimated' })
    expect(counted.completion_tokens).to.be.within(100, 110)
  })

  it('cites no more than the beginning of an answer that cannot be read', async () => {
    const model = await serve([
      { text: 'x'.repeat(9_000), usage: { prompt_tokens: '9'.repeat(5_000) as never, completion_tokens: 1 } },
    ])
    const error = await failureOf(model.generate(request()))
    expect(error).to.include({ code: 'malformed_answer', kind: 'malformed' })
    expect(error.message.length).to.be.within(500, 1_010)
  })

  for (const [status, code] of [
    [400, 'provider_refused'],
    [401, 'provider_unauthorized'],
    [403, 'provider_unauthorized'],
    [404, 'model_not_found'],
    [422, 'provider_refused'],
  ] as const) {
    it(`fails for good on ${status}, without a second request`, async () => {
      const model = await serve([{ status, message: `no: ${KEY}` }])
      const error = await failureOf(model.generate(request()))
      expect(error).to.include({ name: 'ModelError', code, retryable: false })
      expect(error.message).to.contain('openai/some-model').and.contain(String(status))
      expect(error.message).not.to.contain(KEY)
      expect(server.requests).to.have.length(1)
    })
  }

  for (const [status, code] of [
    [408, 'provider_timeout'],
    [409, 'provider_unavailable'],
    [429, 'rate_limited'],
    [500, 'provider_unavailable'],
    [503, 'provider_unavailable'],
    [529, 'provider_unavailable'],
  ] as const) {
    it(`leaves ${status} to whoever asked, as push-back`, async () => {
      const model = await serve([{ status, headers: { 'retry-after': '7' } }])
      const error = await failureOf(model.generate(request()))
      expect(error).to.include({ code, kind: 'pushback', retryable: true, retryAfterMs: 7000 })
      expect(server.requests).to.have.length(1)
    })
  }

  for (const [what, answer] of [
    ['text that is no JSON', { raw: '<html>Bad gateway</html>' }],
    ['half an answer', { raw: '{"choices": [{"mess' }],
    ['JSON without the fields', { raw: '{"ok": true}' }],
    ['an answer without choices', { raw: '{"id":"x","created":1,"model":"m","choices":[]}' }],
    ['nothing', { raw: '' }],
  ] as const) {
    it(`calls ${what} a malformed answer, which may be better next time`, async () => {
      const model = await serve([answer])
      expect(await failureOf(model.generate(request()))).to.include({
        code: 'malformed_answer',
        malformed: true,
        retryable: true,
        kind: 'malformed',
      })
    })
  }

  for (const reason of ['content_filter', 'length'] as const) {
    it(`does not take an empty answer that ended by ${reason} for an answer`, async () => {
      const model = await serve([{ text: '', finish: reason }])
      expect(await failureOf(model.generate(request()))).to.include({ code: 'no_answer', retryable: false })
    })
  }

  it('calls a broken connection a provider that is unavailable', async () => {
    const model = await serve([{ reset: true }])
    expect(await failureOf(model.generate(request()))).to.include({ code: 'provider_unavailable', kind: 'pushback' })
  })

  it('gives up on a provider that hangs, and closes the connection', async () => {
    const model = await serve([{ hang: true }], 'openai/some-model', 1_000)
    expect(await failureOf(model.generate(request()))).to.include({ code: 'provider_timeout', kind: 'pushback' })
    expect(await server.requests[0]?.closed).to.be.a('date')
  })

  it('closes the connection when the run is aborted', async () => {
    const model = await serve([{ hang: true }])
    const controller = new AbortController()
    const generated = failureOf(model.generate(request({ signal: controller.signal })))
    const received = await server.request(0)
    controller.abort(new Error('canceled'))
    expect((await generated).name).to.equal('AbortError')
    expect(await received.closed).to.be.a('date')
  })

  it('makes no request when the run was aborted before', async () => {
    const model = await serve([])
    const error = await failureOf(model.generate(request({ signal: AbortSignal.abort() })))
    expect(error.name).to.equal('AbortError')
    expect(server.requests).to.have.length(0)
  })

  for (const name of ['openai-compatible', 'ollama', 'vllm', 'lmstudio', 'groq'] as const) {
    it(`speaks chat completions with ${name}`, async () => {
      const model = await serve(
        [{ text: 'Hi.', toolCalls: [{ id: 'a', name: 'search', arguments: {} }] }],
        `${name}/org/m`,
      )
      const answer = await model.generate(request({ tools: [search] }))
      expect(answer).to.deep.include({ provider: name, model: 'org/m', text: 'Hi.' })
      expect(answer.calls).to.deep.equal([{ id: 'a', name: 'search', arguments: {} }])
      expect(answer.usage).to.include({ prompt_tokens: 10, completion_tokens: 5, source: 'measured' })
      expect(server.requests[0]?.body.model).to.equal('org/m')
      expect(server.requests[0]?.headers.authorization).to.equal(name === 'groq' ? `Bearer ${KEY}` : undefined)
    })
  }

  it('speaks the messages API with anthropic', async () => {
    const model = await serve(
      [
        {
          text: 'Hi.',
          toolCalls: [{ id: 'a', name: 'search', arguments: { text: 'x' } }],
          usage: { prompt_tokens: 30, completion_tokens: 4, cached_tokens: 20 },
        },
        { status: 529, headers: { 'retry-after-ms': '1500' } },
      ],
      'anthropic/some-model',
    )
    const answer = await model.generate(request({ tools: [search] }))
    expect(answer.calls).to.deep.equal([{ id: 'a', name: 'search', arguments: { text: 'x' } }])
    expect(answer.usage).to.deep.equal({
      prompt_tokens: 30,
      completion_tokens: 4,
      cached_tokens: 20,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      source: 'measured',
      prompt_source: 'measured',
    })
    expect(server.requests[0]?.path).to.equal('/v1/messages')
    expect(server.requests[0]?.headers['x-api-key']).to.equal(KEY)
    expect(await failureOf(model.generate(request()))).to.include({ code: 'provider_unavailable', retryAfterMs: 1500 })
  })
})

describe('createModels', () => {
  for (const [name, variable] of [
    ['openai/m', 'OPENAI_API_KEY'],
    ['anthropic/m', 'ANTHROPIC_API_KEY'],
    ['google/m', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['groq/m', 'GROQ_API_KEY'],
  ] as const) {
    it(`says that ${name} needs ${variable}`, async () => {
      const error = await failureOf(createModels({ config: {} })(name).generate(request()))
      expect(error).to.include({ code: 'missing_key', retryable: false })
      expect(error.message).to.contain(variable)
    })
  }

  it('says that a server of one’s own needs its address', async () => {
    const error = await failureOf(createModels({ config: {} })('vllm/m').generate(request()))
    expect(error).to.include({ code: 'missing_base_url', retryable: false })
    expect(error.message).to.contain('OPENAI_COMPATIBLE_BASE_URL')
  })

  it('refuses a name that it does not know', async () => {
    const error = await failureOf(createModels({ config: {} })('acme/m').generate(request()))
    expect(error).to.include({ code: 'unknown_model', retryable: false })
  })

  it('gives the same model for the same name', () => {
    const models = createModels({ config: { OPENAI_API_KEY: KEY } })
    expect(models('openai/m')).to.equal(models('openai/m'))
    expect(models('scripted').provider).to.equal('scripted')
  })
})
