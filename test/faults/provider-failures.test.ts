import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

/** What the provider answers to each prompt, in order, by what the prompt asks. */
const SCRIPTS: Record<string, ScriptedAnswer[]> = {
  limited: [{ status: 429, headers: { 'retry-after': '3' } }, { text: 'in the end' }],
  'broken twice': [{ status: 500 }, { status: 503, headers: { 'retry-after': '1' } }, { text: 'in the end' }],
  'cut off': [{ reset: true }, { text: 'in the end' }],
  garbage: [{ raw: '{"nothing": "of use"' }, { raw: '[]' }, { text: 'in the end' }],
  'wrong arguments': [{ toolCalls: [{ name: 'double', arguments: '{"n": 2' }] }, { text: 'in the end' }],
  'not counted': [{ text: 'in the end', usage: null }],
  unauthorized: [{ status: 401, message: 'the key test-key-of-the-fault-tests is wrong' }],
  refused: [{ status: 400, message: 'too long' }],
  'in a body': [
    { raw: '{"error": {"message": "busy", "code": 503}}', headers: { 'retry-after': '1' } },
    { raw: '{"error": "still busy"}' },
    { text: 'in the end' },
  ],
  'no time': Array.from({ length: 200 }, () => ({ status: 429, headers: { 'retry-after': '0' } })),
  'always down': Array.from({ length: 20 }, () => ({ status: 503, headers: { 'retry-after-ms': '100' } })),
}

describe('A failing provider', function () {
  this.timeout(120_000)
  let service: TestService
  let provider: ProviderServer

  before(async () => {
    const asked = new Map<string, number>()
    provider = await startProviderServer(({ body }) => {
      const query = String(body.messages.find(({ role }) => role === 'user')?.content)
      const time = asked.get(query) ?? 0
      asked.set(query, time + 1)
      return SCRIPTS[query]?.[time] ?? { status: 400, message: 'The script of the test has no further answer' }
    })
    service = await startTestService({
      env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key-of-the-fault-tests' },
    })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  interface Event {
    event_type: string
    payload: Record<string, unknown>
  }

  async function ask(query: string) {
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'provider', inputs: { query } })
    const ended = await untilEnded(service, body.prompt_id)
    const traces = await service.request('GET', `/api/traces?job_id=${body.prompt_id}`)
    const events: Event[] = traces.body.traces
    const of = (type: string) => events.filter(({ event_type }) => event_type === type).map(({ payload }) => payload)
    const requests = provider.requests.filter(({ body: sent }) =>
      sent.messages.some((message) => message.role === 'user' && message.content === query),
    )
    return { prompt: ended.body, of, types: events.map(({ event_type }) => event_type), requests }
  }

  const DONE = { status: 'completed', outputs: { result: 'in the end' }, error: null }

  it('with 429 is called again only after its Retry-After', async () => {
    const { prompt, of, requests, types } = await ask('limited')
    expect(prompt).to.deep.include(DONE)
    expect(types).to.deep.equal(['task_start', 'error', 'llm_usage', 'task_complete'])
    expect(of('error')[0]).to.include({ code: 'rate_limited', retryable: true })
    const [first, second] = requests
    expect(Number(second?.at) - Number(first?.at)).to.be.at.least(2_950)
    expect(prompt.token_usage).to.deep.equal({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      by_model: [
        {
          provider: 'openai-compatible',
          model: 'test-model',
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          calls: 1,
        },
      ],
    })
    expect(of('llm_usage')[0]).to.deep.include({
      provider: 'openai-compatible',
      model: 'test-model',
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      cached_tokens: 0,
      usage: 'measured',
    })
  })

  it('with 500 and 503 is called again, with an event for each failure', async () => {
    const { prompt, of, requests } = await ask('broken twice')
    expect(prompt).to.deep.include(DONE)
    expect(of('error').map(({ code, retryable }) => [code, retryable])).to.deep.equal([
      ['provider_unavailable', true],
      ['provider_unavailable', true],
    ])
    expect(requests).to.have.length(3)
    expect(prompt.token_usage.total_tokens).to.equal(15)
  })

  it('that returns an error with status 200 is called again, without cost', async () => {
    const { prompt, of } = await ask('in a body')
    expect(prompt).to.deep.include(DONE)
    expect(of('error').map(({ code }) => code)).to.deep.equal(['provider_unavailable', 'provider_error'])
    expect(prompt.token_usage.by_model[0]).to.include({ calls: 1, total_tokens: 15 })
  })

  it('that cuts the connection or returns invalid data is called again', async () => {
    const [cut, garbage] = await Promise.all([ask('cut off'), ask('garbage')])
    expect(cut.prompt).to.deep.include(DONE)
    expect(cut.of('error').map(({ code }) => code)).to.deep.equal(['provider_unavailable'])
    expect(garbage.prompt).to.deep.include(DONE)
    expect(garbage.of('error').map(({ code }) => code)).to.deep.equal(['malformed_answer', 'malformed_answer'])
  })

  it('whose model writes broken arguments gets the error as the result of the call', async () => {
    const { prompt, of, requests } = await ask('wrong arguments')
    expect(prompt).to.deep.include(DONE)
    expect(of('tool_call')[0]).to.include({ tool_name: 'double', status: 'error' })
    expect(of('error')).to.have.length(1)
    expect(JSON.stringify(requests[1]?.body.messages)).to.contain('no JSON object')
    expect(prompt.token_usage.by_model[0].calls).to.equal(2)
  })

  it('that reports no usage gets estimated token counts', async () => {
    const { prompt, of } = await ask('not counted')
    expect(prompt).to.deep.include(DONE)
    expect(of('llm_usage')[0]).to.include({ usage: 'estimated' })
    expect(prompt.token_usage.total_tokens).to.be.greaterThan(0)
  })

  it('with 401 or 400 is not called again, and no response contains the key', async () => {
    const [unauthorized, refused] = await Promise.all([ask('unauthorized'), ask('refused')])
    for (const { prompt, of, requests, types } of [unauthorized, refused]) {
      expect(prompt.status).to.equal('failed')
      expect(prompt.outputs).to.deep.equal({ error: prompt.error })
      expect(requests).to.have.length(1)
      expect(types).to.deep.equal(['task_start', 'error', 'task_complete'])
      expect(of('error')[0]).to.include({ retryable: false, error: prompt.error })
      expect(of('task_complete')[0]).to.include({ status: 'failed' })
      expect(prompt.token_usage.total_tokens).to.equal(0)
    }
    expect(unauthorized.of('error')[0]?.code).to.equal('provider_unauthorized')
    expect(unauthorized.prompt.error).to.contain('401')
    const seen = JSON.stringify([unauthorized.prompt, unauthorized.of('error'), await service.worker.logs()])
    expect(seen).not.to.contain('test-key-of-the-fault-tests')
  })

  it('that stays unavailable with Retry-After is called again, and fails nothing', async () => {
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'provider',
      inputs: { query: 'always down' },
    })
    const asked = () =>
      provider.requests.filter(({ body: { messages } }) => JSON.stringify(messages).includes('always down'))
    await eventually(
      async () => asked().length,
      (times) => times >= 7,
      120_000,
    )
    const path = `/api/prompts/${body.prompt_id}`
    expect((await service.request('GET', path)).body.status).to.equal('running')
    const { body: listed } = await service.request('GET', `/api/traces?job_id=${body.prompt_id}`)
    const errors = listed.traces.filter(({ event_type }: { event_type: string }) => event_type === 'error')
    expect(errors.length).to.be.at.least(6)
    for (const { payload } of errors) expect(payload).to.deep.include({ retryable: true, code: 'provider_unavailable' })
    const times = asked().map(({ at }) => at.getTime())
    const pauses = times.slice(1).map((at, index) => at - (times[index] as number))
    expect(Math.min(...pauses)).to.be.at.least(100)
    expect((await service.request('POST', `${path}/cancel`)).body).to.include({ ok: true })
    expect((await untilEnded(service, body.prompt_id)).body.status).to.equal('canceled')
  })

  it('with a Retry-After of 0 is still called again only after a pause', async () => {
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'provider',
      inputs: { query: 'no time' },
    })
    const asked = () => provider.requests.filter((request) => JSON.stringify(request.body.messages).includes('no time'))
    await eventually(
      async () => asked().length,
      (times) => times >= 1,
      60_000,
    )
    await sleep(10_000)
    expect(asked().length).to.be.at.most(12)
    expect((await service.request('POST', `/api/prompts/${body.prompt_id}/cancel`)).body).to.include({ ok: true })
    expect((await untilEnded(service, body.prompt_id)).body.status).to.equal('canceled')
  })
})
