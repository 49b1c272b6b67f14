import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import type { ModelRequest, Turn } from '../../agents/models/model.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { configFor, request, search } from './scene.ts'

const LONG = 'A long instruction. '.repeat(400)

describe('prompt caching', () => {
  let server: ProviderServer

  async function serve(name: string, script: ScriptedAnswer[]) {
    server = await startProviderServer(script)
    return createModels({ config: { ...configFor(server.url), OPENAI_API: 'responses' } })(name)
  }
  afterEach(async () => {
    await server.close()
  })

  const ask = (instructions: string, overrides: Partial<ModelRequest> = {}) =>
    request({ agent: { name: 'a', role: 'r', goal: 'g', instructions }, tools: [search], ...overrides })

  const turnsAfter = (calls: number): Turn[] => {
    const ids = Array.from({ length: calls }, (_, index) => `toolu_${index}`)
    return [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: '', calls: ids.map((id) => ({ id, name: 'search', arguments: { text: id } })) },
      { role: 'tool', results: ids.map((id) => ({ id, name: 'search', output: `"${id}"`, isError: false })) },
    ]
  }

  const callsOf = (calls: number) =>
    Array.from({ length: calls }, (_, index) => ({
      id: `toolu_${index}`,
      name: 'search',
      arguments: { text: `toolu_${index}` },
    }))

  // 30 calls are more blocks than Anthropic looks back from a mark.
  for (const calls of [1, 30]) {
    it(`reads with Anthropic what the last call wrote, after an answer of ${calls} calls`, async () => {
      const model = await serve('anthropic/claude-sonnet-4-5', [{ toolCalls: callsOf(calls) }, { text: 'Done.' }])
      const first = await model.generate(ask(LONG))
      const second = await model.generate(ask(LONG, { turns: turnsAfter(calls), step: 1 }))
      expect(first.usage).to.include({ cached_tokens: 0, source: 'measured' })
      expect(first.usage.cache_write_tokens).to.be.greaterThan(1_500)
      expect(second.usage.cached_tokens).to.equal(first.usage.cache_write_tokens)
      expect(second.usage.cache_write_tokens).to.be.greaterThan(0)
      const { prompt_tokens, cached_tokens, cache_write_tokens } = second.usage
      expect(prompt_tokens).to.equal(10 + cached_tokens + cache_write_tokens)
    })
  }

  it('marks the system prompt and the ends of this and the last call', async () => {
    const model = await serve('anthropic/claude-sonnet-4-5', [{ text: 'Done.' }])
    await model.generate(ask(LONG, { turns: turnsAfter(2), step: 1 }))
    const { system, messages } = server.requests[0]?.body as unknown as {
      system: { cache_control?: unknown }[]
      messages: { content: { cache_control?: unknown }[] }[]
    }
    const mark = { type: 'ephemeral' }
    expect(system.at(-1)?.cache_control).to.deep.equal(mark)
    const marks = messages.map(({ content }) => content.map((block) => block.cache_control))
    expect(marks).to.deep.equal([[mark], [undefined, undefined], [undefined, mark]])
  })

  it('marks nothing that is too short for a cache', async () => {
    const model = await serve('anthropic/claude-sonnet-4-5', [{ text: 'Done.' }])
    await model.generate(ask('Be brief.'))
    expect(JSON.stringify(server.requests[0]?.body)).not.to.contain('cache_control')
  })

  it('gives OpenAI the key of the conversation, and leaves nothing stored there', async () => {
    const model = await serve('openai/gpt-5-mini', [{ text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }])
    await model.generate(ask(LONG, { cacheKey: 'job-1' }))
    await model.generate(ask(LONG, { cacheKey: 'x'.repeat(65) }))
    await model.generate(ask(LONG))
    const settings = { providerOptions: { openai: { store: true, promptCacheKey: 'mine' } } }
    await model.generate(ask(LONG, { cacheKey: 'job-1', agent: { name: 'a', role: 'r', goal: 'g', settings } }))
    const sent = server.requests.map(({ body }) => [body.prompt_cache_key, body.store])
    expect(sent[0]).to.deep.equal(['job-1', false])
    expect(sent[1]?.[0]).to.match(/^[0-9a-f]{64}$/)
    expect(sent[2]).to.deep.equal([undefined, false])
    expect(sent[3]).to.deep.equal(['mine', true])
  })

  it('sends to a server behind OPENAI_BASE_URL, which may know no cache key, none', async () => {
    server = await startProviderServer([{ text: 'Hi.' }])
    const model = createModels({ config: configFor(server.url) })('openai/gpt-5-mini')
    await model.generate(ask(LONG, { cacheKey: 'job-1' }))
    expect(server.requests[0]?.path).to.equal('/v1/chat/completions')
    expect(server.requests[0]?.body).not.to.have.any.keys('prompt_cache_key', 'store')
  })
})
