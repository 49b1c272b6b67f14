import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { createModels } from '../../agents/models/create-model.ts'
import type { ModelAnswer, ModelDelta, ModelError, ModelRequest, Turn } from '../../agents/models/model.ts'
import { modelTimeouts, type ModelTimeouts } from '../../agents/models/silence.ts'
import type { ModelSettings } from '../../agents/models/model-settings.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { enforced } from '../support/providers/rate-limit.ts'
import { configFor, failureOf, KEY, request, search } from './scene.ts'

interface Wire {
  name: string
  /** Settings under which the model thinks. */
  thinking: ModelSettings
  /** What the provider says about reasoning that is missing, and about reasoning that was altered. */
  missing: RegExp
  altered: RegExp
  /** Whether its headers tell the account's limits. */
  limits: boolean
  /** Whether the prompt's tokens are known before the answer has come to its end. */
  countsEarly: boolean
  /** Where the request has maxOutputTokens and reasoning. */
  settings: [string, string]
  /** What is there for 2,000 and `low`. */
  sent: [unknown, unknown]
}

const WIRES: Wire[] = [
  {
    name: 'openai/gpt-5-mini',
    thinking: { reasoning: 'low' },
    missing: /provided without its required 'reasoning' item/,
    altered: /encrypted content .* could not be verified/,
    limits: true,
    countsEarly: false,
    settings: ['max_output_tokens', 'reasoning.effort'],
    sent: [2_000, 'low'],
  },
  {
    name: 'vllm/deepseek-reasoner',
    thinking: {},
    missing: /reasoning_content. in the thinking mode must be passed back/,
    altered: /reasoning_content. in the thinking mode must be passed back/,
    limits: true,
    countsEarly: false,
    settings: ['max_tokens', 'reasoning_effort'],
    sent: [2_000, 'low'],
  },
  {
    name: 'anthropic/claude-sonnet-4-5',
    thinking: { reasoning: 'low' },
    missing: /Expected .thinking. or .redacted_thinking., but found .tool_use./,
    altered: /Invalid .signature. in .thinking. block/,
    limits: true,
    countsEarly: true,
    settings: ['max_tokens', 'thinking.budget_tokens'],
    // Anthropic counts thinking as output: a tenth of what the model can write is on top.
    sent: [2_000 + 6_400, 6_400],
  },
  {
    name: 'google/gemini-3-pro-preview',
    thinking: { reasoning: 'low' },
    missing: /Thought signature is not valid|missing a thought_signature/,
    altered: /Thought signature is not valid/,
    limits: false,
    countsEarly: true,
    settings: ['generationConfig.maxOutputTokens', 'generationConfig.thinkingConfig.thinkingLevel'],
    sent: [2_000, 'low'],
  },
]

const LONG = 'A text that is sent in several pieces.'

for (const wire of WIRES) {
  const [provider = ''] = wire.name.split('/')

  describe(`the wire of ${wire.name}`, () => {
    let server: ProviderServer

    async function serve(script: Parameters<typeof startProviderServer>[0], timeouts?: ModelTimeouts) {
      server = await startProviderServer(script)
      const config = { ...configFor(server.url), OPENAI_API: 'responses' as const }
      return createModels({ config, ...(timeouts && { timeouts }) })(wire.name)
    }

    afterEach(async () => {
      await server.close()
    })

    function ask(overrides: Partial<ModelRequest> = {}, settings: ModelSettings = wire.thinking): ModelRequest {
      const agent = { name: 'a', role: 'r', goal: 'g', instructions: 'Be brief.', model: wire.name, settings }
      return request({ agent, tools: [search], ...overrides })
    }

    it('streams text and reasoning, and counts what the provider counted', async () => {
      const usage = { prompt_tokens: 100, completion_tokens: 50, cached_tokens: 60, reasoning_tokens: 30 }
      const model = await serve([{ reasoning: 'First, think.', text: LONG, usage }])
      const heard: ModelDelta[] = []
      const answer = await model.generate(ask({ onDelta: (delta) => heard.push(delta) }))
      expect(answer).to.deep.include({ provider, text: LONG, calls: [] })
      // Anthropic does not count thinking apart.
      const reasoning_tokens = provider === 'anthropic' ? 0 : 30
      expect(answer.usage).to.deep.equal({
        ...usage,
        reasoning_tokens,
        cache_write_tokens: 0,
        source: 'measured',
        prompt_source: 'measured',
      })
      const said = (kind: string) => heard.flatMap((delta) => (delta.kind === kind ? [delta.text] : []))
      expect(said('text').length).to.be.greaterThan(1)
      expect(said('text').join('')).to.equal(LONG)
      expect(said('reasoning').join('')).to.equal('First, think.')
      expect(answer.warnings ?? []).to.deep.equal([])
    })

    async function secondTurn(change: (message: unknown) => unknown) {
      const model = await serve([
        { reasoning: 'I need a search.', toolCalls: [{ id: 'call_a', name: 'search', arguments: { text: 'x' } }] },
        { text: 'Done.' },
      ])
      const first = await model.generate(ask())
      expect(first.calls).to.have.length(1)
      expect(first.calls[0]).to.deep.include({ name: 'search', arguments: { text: 'x' } })
      const { text, calls, message } = JSON.parse(JSON.stringify(first)) as ModelAnswer
      const id = calls[0]?.id ?? ''
      const turns: Turn[] = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text, calls, message: change(message), provider },
        { role: 'tool', results: [{ id, name: 'search', output: '{"ok":true}', isError: false }] },
      ]
      return model.generate(ask({ turns, step: 1 }))
    }

    it('goes on after a tool call with the reasoning as the provider made it, kept as JSON', async () => {
      expect((await secondTurn((message) => message)).text).to.equal('Done.')
      expect(server.requests).to.have.length(2)
      expect(JSON.stringify(server.requests[1]?.body)).not.to.contain('skip_thought_signature')
    })

    it('is refused for good, in the provider’s words, when reasoning is missing', async () => {
      const error = await failureOf(secondTurn(() => undefined))
      expect(error).to.include({ code: 'provider_refused', kind: 'refused', retryable: false, status: 400 })
      expect(error.message).to.match(wire.missing)
    })

    it('is refused for good, in the provider’s words, when reasoning was altered', async () => {
      const alter = (message: unknown) =>
        JSON.parse(
          JSON.stringify(message, (key, value: unknown) => {
            const isProof = /signature|encrypted/i.test(key) || (provider === 'vllm' && key === 'text')
            return isProof && typeof value === 'string' ? `${value}x` : value
          }),
        ) as unknown
      const error = await failureOf(secondTurn(alter))
      expect(error).to.include({ code: 'provider_refused', retryable: false, status: 400 })
      expect(error.message).to.match(wire.altered)
    })

    it('gets text and calls only of what another provider said', async () => {
      const model = await serve([{ text: 'Done.' }])
      const secret = { role: 'assistant', content: [{ type: 'reasoning', text: 'thought elsewhere' }] }
      const calls = [{ id: 'call_a', name: 'search', arguments: { text: 'x' } }]
      const turns: Turn[] = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: 'Let me see.', calls, message: secret, provider: 'another' },
        { role: 'tool', results: [{ id: 'call_a', name: 'search', output: '{"hits":3}', isError: false }] },
      ]
      const { text, warnings = [] } = await model.generate(ask({ turns, step: 1 }))
      expect(text).to.equal('Done.')
      if (provider === 'anthropic') expect(warnings.join()).to.contain('cannot think about tool calls')
      const sent = JSON.stringify(server.requests[0]?.body)
      expect(sent).to.contain('Let me see.').and.contain('hits').and.not.contain('thought elsewhere')
    })

    it('gets several calls of one answer, and gives malformed arguments as text', async () => {
      const model = await serve([
        {
          toolCalls: [
            { id: 'a', name: 'search', arguments: { text: 'x' } },
            // Google’s arguments are JSON, never text.
            { id: 'b', name: 'unknown', arguments: provider === 'google' ? { y: 1 } : '{"y": ' },
          ],
        },
      ])
      const { calls } = await model.generate(ask())
      expect(calls.map(({ name }) => name)).to.deep.equal(['search', 'unknown'])
      expect(new Set(calls.map(({ id }) => id)).size).to.equal(2)
      if (provider !== 'google') expect(calls[1]).to.deep.include({ arguments: {}, malformed: '{"y": ' })
    })

    it('continues after reasoning, a blank text and a call', async () => {
      const toolCalls = [{ name: 'search', arguments: { text: 'x' } }]
      const model = await serve([{ reasoning: 'Hm.', text: '\n\n', toolCalls }, { text: 'Done.' }])
      const { text, calls, message } = await model.generate(ask())
      const results = calls.map(({ id, name }) => ({ id, name, output: '1', isError: false }))
      const turns: Turn[] = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text, calls, message, provider },
        { role: 'tool', results },
      ]
      expect(await model.generate(ask({ turns }))).to.include({ text: 'Done.' })
    })

    it('does not make a call whose arguments were cut off', async () => {
      const toolCalls = [
        { name: 'search', arguments: { text: 'x' } },
        { name: 'search', arguments: '' },
      ]
      const model = await serve([{ text: 'I look for it.', toolCalls, finish: 'length' }])
      const { calls, isCut } = await model.generate(ask())
      expect(isCut).to.equal(true)
      expect(calls[0]).to.deep.include({ arguments: { text: 'x' } })
      for (const each of calls.slice(1)) expect(each).to.have.property('malformed')
    })

    it('sends the tools in the order of their names, and the settings', async () => {
      const model = await serve([{ text: 'Hi.' }])
      const tools = ['zebra', 'ant', 'mole'].map((name) => ({ ...search, name }))
      await model.generate(ask({ tools }, { maxOutputTokens: 2_000, reasoning: 'low' }))
      const sent = JSON.stringify(server.requests[0]?.body.tools)
      const positions = ['ant', 'mole', 'zebra'].map((name) => sent.indexOf(`"${name}"`))
      expect(positions).to.deep.equal(positions.toSorted((a, b) => a - b))
      expect(positions[0]).to.be.greaterThan(-1)
      const body = server.requests[0]?.body
      for (const [index, field] of wire.settings.entries())
        expect(body).to.have.nested.property(field, wire.sent[index])
    })

    it('tells the account’s limits as data', async () => {
      const limits = {
        requests: { limit: 50, remaining: 49, resetMs: 1_200 },
        tokens: { limit: 1_000, remaining: 0, resetMs: 600_000 },
      }
      const model = await serve([
        { text: 'Hi.', limits },
        { status: 429, headers: { 'retry-after': '7' }, limits },
      ])
      const answer = await model.generate(ask())
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({
        code: 'rate_limited',
        kind: 'pushback',
        retryable: true,
        retryAfterMs: 7_000,
        status: 429,
      })
      expect(error.usage).to.equal(undefined)
      if (!wire.limits) return expect([answer.limits, error.limits]).to.deep.equal([undefined, undefined])
      for (const told of [answer.limits, error.limits]) {
        expect(told?.requests).to.include({ limit: 50, remaining: 49 })
        expect(told?.tokens).to.include({ limit: 1_000, remaining: 0 })
        expect(told?.requests?.resetMs).to.be.within(0, 1_200)
        expect(told?.tokens?.resetMs).to.be.within(590_000, 600_000)
      }
    })

    for (const [status, code, kind] of [
      [400, 'provider_refused', 'refused'],
      [401, 'provider_unauthorized', 'refused'],
      [404, 'model_not_found', 'refused'],
      [429, 'rate_limited', 'pushback'],
      [500, 'provider_unavailable', 'pushback'],
      [503, 'provider_unavailable', 'pushback'],
      [529, 'provider_unavailable', 'pushback'],
    ] as const) {
      it(`takes ${status} as ${kind}, with the provider’s sentence and without the key, after one request`, async () => {
        const model = await serve([{ status, message: `no, ${KEY}` }])
        const error = await failureOf(model.generate(ask()))
        expect(error).to.include({ name: 'ModelError', code, kind, status, retryable: kind === 'pushback' })
        expect(error.message).to.contain(wire.name).and.contain('no, ').and.not.contain(KEY)
        expect(error.usage).to.equal(undefined)
        expect(server.requests).to.have.length(1)
      })
    }

    it('is told when to come back where the account’s limit is used up, and is served then', async () => {
      const { script, counts } = enforced({ requestsPerSecond: 2 }, { text: 'Hi.' })
      const model = await serve(script)
      const calls = await Promise.allSettled(Array.from({ length: 12 }, () => model.generate(ask())))
      const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as ModelError] : []))
      expect(counts.refused).to.equal(refused.length)
      expect(refused.length).to.be.within(1, 10)
      for (const error of refused) {
        expect(error).to.include({ code: 'rate_limited', kind: 'pushback' })
        expect(error.retryAfterMs).to.be.within(1, 500)
      }
      // The bucket counts in fractions of a request: a little more than a whole one is one.
      await sleep(Math.max(...refused.map(({ retryAfterMs = 0 }) => retryAfterMs)) + 50)
      expect((await model.generate(ask())).text).to.equal('Hi.')
    })

    it('takes a provider that is away as push-back', async () => {
      const model = await serve([{ reset: true }, { text: 'Hi.' }])
      const cut = await failureOf(model.generate(ask()))
      expect((await model.generate(ask())).text).to.equal('Hi.')
      await server.close()
      const unreachable = await failureOf(model.generate(ask()))
      server = await startProviderServer([])
      for (const error of [cut, unreachable]) {
        expect(error).to.include({ code: 'provider_unavailable', kind: 'pushback', retryable: true })
        expect(error.message).to.contain(wire.name)
      }
      // Of a request that had left nobody knows what it used; one that nobody took used nothing.
      expect(cut.usage).to.include({ prompt_tokens: 0, completion_tokens: 0, source: 'unknown' })
      expect(unreachable.usage).to.equal(undefined)
    })

    for (const raw of ['<html>It works!</html>', '{"choices": "none"}', '']) {
      it(`does not take ${raw === '' ? 'an empty body' : raw} for an answer`, async () => {
        const model = await serve([{ raw }])
        const error = await failureOf(model.generate(ask()))
        expect(error).to.include({ code: 'malformed_answer', malformed: true, retryable: true })
      })
    }

    const BUSY = { error: { message: 'too much to do', type: 'rate_limit_error', code: 429 } }
    for (const [what, code, answer] of [
      ['a body', 'rate_limited', { raw: JSON.stringify(BUSY), headers: { 'retry-after': '3' } }],
      ['a body that is a sentence', 'provider_error', { raw: '{"error": "too much to do"}' }],
      ['a stream that begins with it', 'provider_unavailable', { text: 'x', breaks: { after: 0, by: 'fails' } }],
    ] as const) {
      it(`takes an error under status 200, in ${what}, as push-back that cost nothing`, async () => {
        const model = await serve([answer])
        const error = await failureOf(model.generate(ask()))
        expect(error).to.include({ code, kind: 'pushback', retryable: true })
        expect(error.message).to.match(/too much to do|scripted: overloaded/)
        expect(error.retryAfterMs).to.equal(what === 'a body' ? 3_000 : undefined)
        expect(error.usage?.prompt_tokens ?? 0).to.equal(0)
      })
    }

    it('waits for a first token that is slow', async () => {
      const model = await serve([{ text: LONG, firstTokenMs: 300 }])
      expect((await model.generate(ask())).text).to.equal(LONG)
    })

    it('ends at once when it is aborted in the middle, and tells what was used', async () => {
      const usage = { prompt_tokens: 1_000, completion_tokens: 90 }
      const model = await serve([{ text: 'word '.repeat(40), usage, breaks: { after: 12, by: 'hang' } }])
      const controller = new AbortController()
      const begun = Promise.withResolvers<void>()
      let text = ''
      const onDelta = (delta: ModelDelta) => {
        text += delta.text
        if (text.length > 20) begun.resolve()
      }
      const failed = failureOf(model.generate(ask({ signal: controller.signal, onDelta })))
      await begun.promise
      const abortedAt = Date.now()
      controller.abort(new Error('canceled'))
      const error = await failed
      expect(Date.now() - abortedAt).to.be.lessThan(2_000)
      expect(error).to.include({ name: 'AbortError', code: 'aborted', kind: 'aborted', retryable: false })
      expect(error.partialText).to.equal(text)
      expect(error.usage?.source).to.equal('estimated')
      if (wire.countsEarly) expect(error.usage?.prompt_tokens).to.equal(1_000)
      else expect(error.usage?.prompt_tokens).to.be.within(20, 200)
      expect(error.usage?.completion_tokens).to.be.at.least(Math.ceil(text.length / 4))
      const [received] = server.requests
      await received?.closed
      expect(received?.left()).to.equal(true)
    })

    it('gives up on a provider that falls silent in the middle, and tells what was used', async () => {
      const timeouts = { ...modelTimeouts(60_000), writingMs: 400 }
      const model = await serve([{ text: 'word '.repeat(40), breaks: { after: 12, by: 'hang' } }], timeouts)
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({ code: 'provider_timeout', kind: 'pushback', retryable: true })
      expect(error.partialText).to.match(/^word /)
      expect(error.usage?.completion_tokens).to.be.greaterThan(0)
      await server.requests[0]?.closed
      expect(server.requests[0]?.left()).to.equal(true)
    })

    it('gives up on a provider that sends headers and nothing else', async () => {
      // Chat completions say nothing while a model thinks.
      const limit = provider === 'vllm' ? 'reasoningMs' : 'firstChunkMs'
      const timeouts = { ...modelTimeouts(60_000), [limit]: 300 }
      const model = await serve([{ text: LONG, firstTokenMs: 60_000 }], timeouts)
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({ code: 'provider_timeout', kind: 'pushback' })
      expect(error.usage).to.include({ source: 'unknown', prompt_tokens: 0 })
    })

    it('lets a model think for longer than it may wait to begin, or stop while it writes', async () => {
      const timeouts = { ...modelTimeouts(60_000), firstChunkMs: 1_000, writingMs: 1_000 }
      // Chat completions begin when the thinking is over, the others with a sign of it.
      const thinks = provider === 'vllm' ? { firstTokenMs: 1_500 } : { reasoning: 'Hm.', pausesMs: 1_500 }
      const model = await serve([{ text: LONG, ...thinks }], timeouts)
      expect((await model.generate(ask())).text).to.equal(LONG)
    })

    it('takes a connection that breaks in the middle as push-back, and tells what was used', async () => {
      const model = await serve([{ text: 'word '.repeat(40), breaks: { after: 12, by: 'reset' } }])
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({ code: 'provider_unavailable', kind: 'pushback' })
      expect(error.partialText).to.match(/^word /)
      expect(error.usage?.source).to.equal('estimated')
    })

    it('does not take an answer that ends too early for an answer', async () => {
      const model = await serve([{ text: 'word '.repeat(40), breaks: { after: 12, by: 'end' } }])
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({ code: 'malformed_answer', kind: 'malformed', malformed: true, retryable: true })
      expect(error.usage?.completion_tokens).to.be.greaterThan(0)
      expect(error.usage?.source).to.equal('estimated')
    })

    it('takes the provider’s own error in the middle of an answer as push-back', async () => {
      const model = await serve([{ text: 'word '.repeat(40), breaks: { after: 12, by: 'fails' } }])
      const error = await failureOf(model.generate(ask()))
      expect(error).to.include({ code: 'provider_unavailable', kind: 'pushback', retryable: true })
      expect(error.message).to.contain('scripted: overloaded')
      expect(error.partialText).to.match(/^word /)
    })

    it('does not use a response that a content filter ended', async () => {
      const toolCalls = [{ name: 'search', arguments: { text: 'x' } }]
      for (const begun of [{ text: LONG }, { toolCalls }]) {
        const model = await serve([{ ...begun, finish: 'content_filter' }])
        const error = await failureOf(model.generate(ask()))
        expect(error).to.include({ code: 'no_answer', retryable: false, partialText: begun.text ?? '' })
        expect(error.usage?.source).to.equal('measured')
        await server.close()
      }
    })

    it('uses a text that reached its output limit, and marks it', async () => {
      const model = await serve([{ text: LONG, finish: 'length' }])
      expect(await model.generate(ask())).to.include({ text: LONG, isCut: true })
    })

    for (const finish of ['length', 'content_filter'] as const) {
      it(`does not take an empty answer that ended by ${finish} for an answer; it was paid for`, async () => {
        const model = await serve([{ reasoning: 'Hm.', finish, usage: { prompt_tokens: 9, completion_tokens: 8 } }])
        const error = await failureOf(model.generate(ask()))
        expect(error).to.include({ code: 'no_answer', retryable: false })
        expect(error.usage).to.include({ prompt_tokens: 9, completion_tokens: 8, source: 'measured' })
      })
    }
  })
}
