import { expect } from 'chai'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'

const CALLS: ScriptedAnswer = { reasoning: 'Doubling helps.', toolCalls: [{ name: 'double', arguments: { n: 2 } }] }

/** What the first model answers to each prompt, by what it asks; past its end the test fails by the second model's. */
const FIRST: Record<string, ScriptedAnswer[]> = {
  'wrong key': [{ status: 401 }],
  'long limit': [{ status: 429, headers: { 'retry-after': '30' } }],
  'away twice': [{ status: 503 }, { status: 503 }],
  'strange twice': [{ raw: '{"error":"no such plan"}' }, { raw: '{"error":"no such plan"}' }],
  'away once': [{ status: 503 }, { text: 'from the first' }],
  'lost after a step': [CALLS, { status: 404 }],
}
/** What the second one answers, after the same. */
const SECOND: Record<string, ScriptedAnswer[]> = { 'wrong key': [CALLS, { text: 'from the second' }] }

describe('An agent with several models', function () {
  this.timeout(120_000)
  let provider: ProviderServer
  let service: TestService

  before(async () => {
    const asked = new Map<string, number>()
    provider = await startProviderServer(({ body, path }) => {
      const isFirst = path.endsWith('/chat/completions')
      const scripts = isFirst ? FIRST : SECOND
      const query = Object.keys(FIRST).find((each) => JSON.stringify(body.messages).includes(each)) ?? ''
      const time = asked.get(`${isFirst} ${query}`) ?? 0
      asked.set(`${isFirst} ${query}`, time + 1)
      return scripts[query]?.[time] ?? (isFirst ? { status: 400, message: 'no answer' } : { text: 'from the second' })
    })
    const keys = { OPENAI_COMPATIBLE_API_KEY: 'test-key', ANTHROPIC_API_KEY: 'test-key' }
    const urls = { OPENAI_COMPATIBLE_BASE_URL: provider.url, ANTHROPIC_BASE_URL: provider.url }
    service = await startTestService({ env: { ...keys, ...urls } })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  async function ask(query: string) {
    const prompt = { prompt_name: 'provider-fallback', inputs: { query } }
    const { body } = await service.request('POST', '/api/prompts', prompt)
    const ended = await untilEnded(service, body.prompt_id)
    const { traces } = (await service.request('GET', `/api/traces?job_id=${body.prompt_id}`)).body
    const fallbacks = traces.filter(({ event_type }: { event_type: string }) => event_type === 'model_fallback')
    const asked = provider.requests.filter(({ body: sent }) => JSON.stringify(sent.messages).includes(query))
    return {
      prompt: ended.body,
      types: traces.map(({ event_type }: { event_type: string }) => event_type) as string[],
      payloads: fallbacks.map(({ payload }: { payload: unknown }) => payload),
      models: asked.map(({ path }) => (path.endsWith('/chat/completions') ? 'first' : 'second')),
    }
  }
  const names = { from: 'openai-compatible/first', to: 'anthropic/claude-sonnet-4-5' }

  it('switches to the next model when its key is rejected, and keeps it for the run', async () => {
    const { prompt, types, payloads, models } = await ask('wrong key')
    expect(prompt).to.deep.include({ status: 'completed', outputs: { result: 'from the second' } })
    expect(models).to.deep.equal(['first', 'second', 'second'])
    expect(payloads).to.deep.equal([{ ...names, code: 'provider_unauthorized' }])
    expect(types).to.deep.equal([
      ...['task_start', 'error', 'model_fallback', 'llm_usage', 'tool_call', 'llm_usage', 'task_complete'],
    ])
  })

  it('switches to the next model when a provider is unavailable for the second time', async () => {
    const [once, twice] = [await ask('away once'), await ask('away twice')]
    expect(once.prompt.outputs).to.deep.equal({ result: 'from the first' })
    expect(once.payloads).to.deep.equal([])
    expect(twice.prompt.outputs).to.deep.equal({ result: 'from the second' })
    expect(twice.models).to.deep.equal(['first', 'first', 'second'])
    expect(twice.payloads).to.deep.equal([{ ...names, code: 'provider_unavailable' }])
  })

  it('switches to the next model when a provider returns an unknown error for the second time', async () => {
    const { prompt, models, payloads } = await ask('strange twice')
    expect(prompt.outputs).to.deep.equal({ result: 'from the second' })
    expect(models).to.deep.equal(['first', 'first', 'second'])
    expect(payloads).to.deep.equal([{ ...names, code: 'provider_error' }])
  })

  it('drops reasoning that the next model cannot read', async () => {
    const { prompt, models, payloads } = await ask('lost after a step')
    expect(prompt).to.deep.include({ status: 'completed', outputs: { result: 'from the second' } })
    expect(models).to.deep.equal(['first', 'first', 'second'])
    expect(payloads).to.deep.equal([{ ...names, code: 'model_not_found' }])
    const crossed = provider.requests.find(
      ({ path, body }) => path.endsWith('/messages') && JSON.stringify(body).includes('lost after a step'),
    )
    expect(JSON.stringify(crossed?.body)).to.contain('double').and.not.to.contain('Doubling helps.')
  })

  it('does not wait for a rate limit of more than ten seconds, and does not call that provider again', async () => {
    const first = await ask('long limit')
    expect(first.prompt.outputs).to.deep.equal({ result: 'from the second' })
    expect(first.payloads).to.deep.equal([{ ...names, code: 'rate_limited' }])
    const next = await ask('of another run')
    expect(next.prompt.outputs).to.deep.equal({ result: 'from the second' })
    expect(next.models).to.deep.equal(['second'])
  })
})
