import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sharedStack } from '../support/stack.ts'
import { event, startScene, type Scene } from './scene.ts'

describe('the prompt stream', function () {
  this.timeout(60_000)
  let scene: Scene

  before(async () => {
    const { MONGODB_URI } = sharedStack()
    scene = await startScene({ uri: MONGODB_URI as string })
  })
  after(() => scene.close())

  it('sends an empty traces message at once, then events, then complete with the tree', async () => {
    const id = await scene.execution()
    const client = scene.connect(`/ws/prompts/${id}`)
    await client.until(({ messages }) => messages.length > 0)
    expect(client.messages[0]).to.deep.equal({ type: 'traces', data: { spans: [], count: 0 } })
    const start = { id: null }
    await scene.write(id, {
      events: [
        { ...event('task_start', { inputs: { question: 'why' }, worker: 'w1' }), reference: start },
        event('tool_call', { tool_name: 'search', parameters: { q: 1 }, result: [1], duration_ms: 3 }, start),
      ],
    })
    await scene.finish(id)
    const complete = await client.complete()
    expect(client.spans.map((span) => [span.event_type, span.name, span.type])).to.deep.equal([
      ['task_start', 'tester', 'agent'],
      ['tool_call', 'search', 'tool'],
      ['task_complete', 'tester', 'agent'],
    ])
    expect(client.spans.every(({ children, metadata }) => children.length === 0 && metadata.job_id === id)).to.equal(
      true,
    )
    expect(client.messages.every(({ type, data }) => type !== 'traces' || data.count === data.spans.length)).to.equal(
      true,
    )
    expect(complete).to.include({ status: 'completed', error: null })
    expect(complete.outputs).to.deep.equal({ answer: 42 })
    expect(complete).not.to.have.property('truncated')
    expect(complete.spans.map(({ event_type }) => event_type)).to.deep.equal(['task_start', 'task_complete'])
    expect(complete.spans[0]?.children.map(({ name }) => name)).to.deep.equal(['search'])
    expect(client.messages.at(-1)?.type).to.equal('complete')
    expect(client.socket.readyState).to.equal(client.socket.OPEN)
  })

  it('gives a finished execution of any kind its traces and complete at once', async () => {
    const id = await scene.execution({ kind: 'chat' })
    await scene.write(id, { events: [event('task_start')] })
    await scene.finish(id)
    const client = scene.connect(`/ws/prompts/${id}`)
    await client.complete()
    expect(client.messages.map(({ type }) => type)).to.deep.equal(['traces', 'complete'])
    expect(client.spans).to.have.length(2)
    const later = scene.connect(`/ws/prompts/${id}?after=${client.spans[0]?.id}`)
    await later.complete()
    expect(later.spans.map(({ event_type }) => event_type)).to.deep.equal(['task_complete'])
  })

  it('shows a record that has no events, as with tracing disabled', async () => {
    const id = await scene.execution()
    const client = scene.connect(`/ws/prompts/${id}`)
    await client.until(({ messages }) => messages.length > 0)
    await scene.finish(id, { events: [] })
    const complete = await client.complete()
    expect(complete.spans).to.deep.equal([])
    expect(client.messages).to.have.length(2)
  })

  it('says what a failed run gave', async () => {
    const id = await scene.execution()
    const error = 'the model refused'
    await scene.finish(id, { finish: { status: 'failed', outputs: null, error, latencyMs: 1, at: new Date() } })
    const complete = await scene.connect(`/ws/prompts/${id}`).complete()
    expect(complete).to.deep.include({ status: 'failed', error, outputs: { error } })
  })

  it('points at an offloaded output', async () => {
    const id = await scene.execution()
    const pointer = { bucket: 'b', key: 'responses/1.json', size_bytes: 7 }
    await scene.finish(id, {
      finish: { status: 'completed', outputs: { pointer }, error: null, latencyMs: 1, at: new Date() },
    })
    const complete = await scene.connect(`/ws/prompts/${id}`).complete()
    expect(complete.outputs).to.deep.equal({ offloaded: true, pointer })
  })

  it('sends complete of a canceled run when it has really stopped, after its last event, and once', async () => {
    const id = await scene.execution()
    const client = scene.connect(`/ws/prompts/${id}`)
    const canceled = { status: 'canceled', outputs: null, error: null, latencyMs: 1, at: new Date() } as const
    await scene.write(id, { events: [event('task_cancel_requested', { by: 'user' })], finish: canceled })
    const second = scene.connect(`/ws/prompts/${id}`)
    await second.until(({ spans }) => spans.length === 1)
    await sleep(500)
    await scene.write(id, { events: [event('llm_usage', { model: 'm', total_tokens: 5 })] })
    await sleep(500)
    await scene.write(id, { events: [event('error', { error: 'late' })], stoppedAt: new Date() })
    for (const each of [client, second]) {
      const complete = await each.complete()
      expect(complete).to.deep.include({ status: 'canceled', outputs: {}, error: null })
      expect(complete.spans).to.have.length(3)
      expect(each.spans).to.have.length(3)
      expect(each.messages.at(-1)?.type).to.equal('complete')
      expect(each.completes).to.have.length(1)
    }
  })

  it('tells an unknown id and a malformed position, then closes', async () => {
    const unknown = scene.connect(`/ws/prompts/${randomUUID()}`)
    expect((await unknown.closed).code).to.equal(1000)
    expect(unknown.messages).to.have.length(1)
    expect(unknown.messages[0]?.type).to.equal('error')
    expect(unknown.messages[0]?.data.error).to.be.a('string')
    for (const query of ['after=soon', 'after=', 'after=1&after=2', 'payload=none&payload=full']) {
      const malformed = scene.connect(`/ws/prompts/${await scene.execution()}?${query}`)
      expect((await malformed.closed).code).to.equal(1000)
      expect(malformed.messages.map(({ type }) => type)).to.deep.equal(['error'])
      expect(malformed.messages[0]?.data.error).to.match(/^(after|payload) must/)
    }
    const batch = await scene.batch(1)
    const wrongKind = scene.connect(`/ws/prompts/${batch.id}`)
    expect((await wrongKind.closed).code).to.equal(1000)
  })

  it('sends a long past in several messages, each event once, in order', async () => {
    const id = await scene.execution()
    for (let step = 0; step < 6; step += 1) {
      await scene.write(id, { events: Array.from({ length: 300 }, (_, index) => event('tool_call', { step, index })) })
    }
    await scene.finish(id)
    const client = scene.connect(`/ws/prompts/${id}`)
    const complete = await client.complete()
    const ids = client.spans.map((span) => span.id)
    expect(ids).to.have.length(1_801)
    expect(ids).to.deep.equal([...new Set(ids)].sort((a, b) => a - b))
    expect(client.messages.length).to.be.greaterThan(2)
    expect(complete.spans).to.have.length(1_801)
    expect(complete).not.to.have.property('truncated')
  })

  it('caps the spans of complete in bytes, never those of the stream', async () => {
    const id = await scene.execution()
    const text = 'x'.repeat(50_000)
    for (let step = 0; step < 80; step += 1) await scene.write(id, { events: [event('tool_call', { text })] })
    await scene.finish(id)
    const client = scene.connect(`/ws/prompts/${id}`)
    const complete = await client.complete()
    expect(client.spans).to.have.length(81)
    expect(complete.truncated).to.equal(true)
    expect(JSON.stringify(complete).length).to.be.lessThan(4_194_304)
  })

  it('gives several lookers at one execution the same', async () => {
    const id = await scene.execution()
    const clients = Array.from({ length: 20 }, () => scene.connect(`/ws/prompts/${id}`))
    for (let step = 0; step < 50; step += 1) await scene.write(id, { events: [event('llm_usage', { step })] })
    await scene.finish(id)
    await Promise.all(clients.map((client) => client.complete()))
    const [first, ...others] = clients.map(({ spans }) => spans)
    for (const spans of others) expect(spans).to.deep.equal(first)
  })
})
