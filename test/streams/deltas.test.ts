import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Troupe, type DeltaEvent } from '../../client/index.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { Client } from './client.ts'

const TEXT = 'Ein kurzer Text, der Stück für Stück kommt: 👩‍🔬 und 𝔘𝔫𝔦𝔠𝔬𝔡𝔢. '.repeat(4)

describe('Deltas', function () {
  this.timeout(180_000)
  let service: TestService
  let provider: ProviderServer
  let respond: (asked: number) => ScriptedAnswer
  const asked = new Map<string, number>()
  const clients: Client[] = []

  before(async () => {
    provider = await startProviderServer(({ body }) => {
      const query = String(body.messages.at(-1)?.content)
      const time = asked.get(query) ?? 0
      asked.set(query, time + 1)
      return respond(time)
    })
    const agentsDir = fileURLToPath(new URL('../support/agents', import.meta.url))
    const env = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
    service = await startTestService({ agentsDir, env })
  })
  beforeEach(() => {
    respond = () => ({ reasoning: 'Let me see.', text: TEXT, everyMs: 60 })
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      client.socket.close()
      await client.closed
    }
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  async function submit(query: string = randomUUID()): Promise<string> {
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'provider', inputs: { query } })
    return body.prompt_id as string
  }

  const connect = (path: string): Client => {
    const client = new Client(`${service.api.wsUrl}${path}`)
    clients.push(client)
    return client
  }
  const deltasOf = ({ messages }: Client) =>
    messages.flatMap(({ type, data }) => (type === 'delta' ? [data as unknown as DeltaEvent] : []))
  /** The text that a client has which drops what it has seen, as of its last message. */
  function textOf(client: Client, kind = 'text'): string {
    let all = ''
    let text = ''
    for (const delta of deltasOf(client)) {
      if (delta.offset === 0) all = text = ''
      if (delta.offset < all.length) continue
      expect(delta.offset, 'there is a hole').to.equal(all.length)
      all += delta.text
      if (delta.kind === kind) text += delta.text
    }
    return text
  }
  const written = () => service.store.partials.countDocuments()

  it('are sent on request, and end with the event of the whole output', async () => {
    const id = await submit()
    const client = connect(`/ws/prompts/${id}?deltas=true`)
    await client.until(({ completes }) => completes.length > 0)
    const deltas = deltasOf(client)
    expect(deltas.length).to.be.greaterThan(3)
    expect(TEXT.startsWith(textOf(client))).to.equal(true)
    expect(textOf(client).length).to.be.greaterThan(20)
    expect(textOf(client, 'reasoning')).to.equal('Let me see.')
    expect(deltas[0]).to.deep.include({ job_id: id, agent_name: 'provider', step: '0.m00000', offset: 0 })
    expect(deltas.some(({ reset }) => reset)).to.equal(false)
    const order = client.messages.map(({ type, data }) => (type === 'traces' ? data.spans.at(-1)?.event_type : type))
    expect(order.lastIndexOf('delta')).to.be.below(order.lastIndexOf('task_complete'))
    expect(client.completes[0]?.outputs).to.deep.equal({ result: TEXT })
    await eventually(written, (count) => count === 0)
  })

  it('are not recorded without a watcher, and not sent to clients that did not request them', async () => {
    const id = await submit()
    const client = connect(`/ws/prompts/${id}`)
    let most = 0
    const ended = untilEnded(service, id)
    let isOver = false
    void ended.then(() => (isOver = true))
    while (!isOver) most = Math.max(most, await written())
    expect((await ended).body.outputs).to.deep.equal({ result: TEXT })
    await client.until(({ completes }) => completes.length > 0)
    expect([most, deltasOf(client).length]).to.deep.equal([0, 0])
    expect(await service.store.watches.countDocuments({ _id: `job/${id}` })).to.equal(0)
  })

  it('are sent on the stream of a batch with their job_id', async () => {
    const tasks = [{ query: randomUUID() }, { query: randomUUID() }]
    const { body } = await service.request('POST', '/api/agents/provider/batch', { tasks })
    const client = connect(`/ws/batches/${body.batch_id}?deltas=true`)
    await client.until(({ completes }) => completes.length > 0)
    expect(new Set(deltasOf(client).map(({ job_id }) => job_id))).to.deep.equal(new Set(body.job_ids))
  })

  it('are complete for clients that connect late or reconnect at any offset', async () => {
    respond = () => ({ text: TEXT, everyMs: 120 })
    const id = await submit()
    const watcher = connect(`/ws/prompts/${id}?deltas=true`)
    let seen = 0
    while (watcher.completes.length === 0) {
      await watcher.until((client) => deltasOf(client).length > seen || client.completes.length > 0)
      seen = deltasOf(watcher).length
      const have = textOf(watcher)
      if (watcher.completes.length > 0) break
      const late = connect(`/ws/prompts/${id}?deltas=true`)
      await late.until((client) => textOf(client).length >= have.length || client.completes.length > 0)
      if (late.completes.length > 0) break
      expect(textOf(late).startsWith(have)).to.equal(true)
    }
    expect(seen).to.be.greaterThan(4)
    expect(TEXT.startsWith(textOf(watcher))).to.equal(true)
  })

  it('restart with reset when the worker dies, and end with the same text', async () => {
    respond = (time) =>
      time === 0
        ? { text: `Verloren: ${TEXT}`, everyMs: 100, breaks: { after: 20, by: 'hang' } }
        : { text: TEXT, everyMs: 60 }
    const id = await submit()
    const troupe = new Troupe({ url: service.api.url })
    let text = ''
    let resets = 0
    let killed = false
    for await (const event of troupe.prompts.stream(id, { deltas: true })) {
      if (event.type === 'complete') expect(event.outputs).to.deep.equal({ result: TEXT })
      if (event.type !== 'delta') continue
      resets += event.reset === true ? 1 : 0
      text = event.reset === true ? event.text : text + event.text
      if (killed || text.length < 40) continue
      killed = true
      expect(text.startsWith('Verloren')).to.equal(true)
      await service.worker.kill9()
      await service.worker.restart()
    }
    expect(resets).to.equal(1)
    expect(text.length).to.be.greaterThan(20)
    expect(TEXT.startsWith(text)).to.equal(true)
    await eventually(written, (count) => count === 0)
  })

  it('reject a parameter other than true or false', async () => {
    const client = connect(`/ws/prompts/${await submit()}?deltas=perhaps`)
    expect((await client.closed).code).to.equal(1000)
    expect(client.messages[0]?.data.error).to.equal('deltas must be true or false.')
  })
})
