import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { configFor, failureOf, KEY, request, search } from './scene.ts'

const SSE = { 'content-type': 'text/event-stream' }

describe('A hostile provider', function () {
  this.timeout(60_000)
  let server: ProviderServer | undefined
  let other: Server | undefined

  afterEach(async () => {
    await server?.close()
    other?.closeAllConnections()
    other?.close()
    server = other = undefined
  })

  const serve = async (answers: ScriptedAnswer[]) => (server = await startProviderServer(answers))
  const openai = ({ url }: ProviderServer) => createModels({ config: configFor(url) })('openai/some-model')
  const malformed = { code: 'malformed_answer', kind: 'malformed' }

  for (const name of ['openai/m', 'anthropic/m', 'google/m', 'groq/m', 'openai-compatible/m']) {
    for (const status of [302, 307]) {
      it(`of ${name} that redirects to another server (${status}) hands it neither the key nor the prompt`, async () => {
        const asked: string[] = []
        other = createServer((incoming, response) => {
          asked.push(`${incoming.method} ${JSON.stringify(incoming.headers)}`)
          response.end('{"secret": "of a private network"}')
        })
        await once(other.listen(0, '127.0.0.1'), 'listening')
        const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/latest/meta-data`
        const { url } = await serve([{ status, headers: { location } }])
        const error = await failureOf(createModels({ config: configFor(url) })(name).generate(request()))
        expect(error).to.include({ kind: 'refused', status })
        expect(error.message).not.to.include('secret').and.not.include(KEY)
        expect(asked).to.deep.equal([])
      })
    }
  }

  it('is followed within its own host', async () => {
    const provider = await serve([
      { status: 308, headers: { location: '/v1/elsewhere/chat/completions' } },
      { text: 'here' },
    ])
    expect(await openai(provider).generate(request())).to.include({ text: 'here' })
    expect(provider.requests.map(({ path }) => path)).to.deep.equal([
      '/v1/chat/completions',
      '/v1/elsewhere/chat/completions',
    ])
    expect(provider.requests[1]?.body.messages).to.deep.equal(provider.requests[0]?.body.messages)
  })

  it('fills no memory with a line that hardly ends, however small it is on the wire', async () => {
    const choice = { index: 0, delta: { content: 'x'.repeat(40_000_000) }, finish_reason: 'stop' }
    const raw = gzipSync(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\ndata: [DONE]\n\n`)
    const bomb = createServer((incoming, response) => {
      incoming.resume()
      response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(raw)
    })
    other = bomb
    await once(bomb.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(bomb.address() as AddressInfo).port}/v1`
    const asked = createModels({ config: configFor(url) })('openai/some-model').generate(request())
    expect(await failureOf(asked)).to.include(malformed)
  })

  it('with headers of a megabyte gives an answer that cannot be read', async () => {
    const headers = { ...SSE, 'x-large': 'x'.repeat(1_000_000) }
    const provider = await serve([{ raw: 'data: [DONE]\n\n', headers }])
    expect(await failureOf(openai(provider).generate(request()))).to.include(malformed)
  })

  it('that asks for thousands of calls at once, or by a name or id without end, is not obeyed', async () => {
    const many = Array.from({ length: 1_001 }, () => ({ name: 'search', arguments: { text: 'x' } }))
    const provider = await serve([
      { toolCalls: many },
      { toolCalls: [{ name: 'n'.repeat(1_001), arguments: {} }] },
      { toolCalls: [{ id: 'i'.repeat(32_769), name: 'search', arguments: {} }] },
      { toolCalls: many.slice(0, 1_000) },
      { toolCalls: [{ id: `call_1__thought__${'s'.repeat(10_000)}`, name: 'search', arguments: { text: 'x' } }] },
    ])
    const model = openai(provider)
    for (const _ of [1, 2, 3]) {
      expect(await failureOf(model.generate(request({ tools: [search] })))).to.include(malformed)
    }
    expect((await model.generate(request({ tools: [search] }))).calls).to.have.length(1_000)
    expect((await model.generate(request({ tools: [search] }))).calls, 'an id that holds a signature').to.have.length(1)
  })

  it('that gives two calls one id gets their results under two', async () => {
    const call = { id: 'same', name: 'search', arguments: { text: 'x' } }
    for (const name of ['openai/m', 'anthropic/m']) {
      const provider = await serve([
        { toolCalls: [call, call], ...(name.startsWith('anthropic') && { reasoning: 'Twice.' }) },
        { text: 'done' },
      ])
      const model = createModels({ config: configFor(provider.url) })(name)
      const { text, calls, message } = await model.generate(request({ tools: [search] }))
      expect(new Set(calls.map(({ id }) => id))).to.have.property('size', 2)
      const results = calls.map(({ id }) => ({ id, name: 'search', output: '1', isError: false }))
      const said = { role: 'assistant', text, calls, message, provider: model.provider } as const
      const turns = [{ role: 'user', text: 'Hello' }, said, { role: 'tool', results }] as const
      expect(await model.generate(request({ tools: [search], turns: [...turns] }))).to.include({ text: 'done' })
      const sent = JSON.stringify(provider.requests[1]?.body)
      for (const { id } of calls) expect(sent.split(`"${id}"`), 'the call and its result').to.have.length(3)
      await provider.close()
      server = undefined
    }
  })

  it('that writes arguments of ten megabytes, or nested without end, is read', async () => {
    const large = { text: 'x'.repeat(10_000_000) }
    const deep = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const call = (index: number, text: string) => ({
      index,
      id: `${index}`,
      function: { name: 'search', arguments: text },
    })
    const delta = { tool_calls: [call(0, JSON.stringify(large)), call(1, deep)] }
    const chunk = { id: 'c', choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }
    const provider = await serve([{ raw: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, headers: SSE }])
    const { calls } = await openai(provider).generate(request({ tools: [search] }))
    expect(calls[0]?.arguments).to.deep.equal(large)
    expect(calls[1]).to.include({ malformed: deep })
  })
})
