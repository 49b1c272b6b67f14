import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sharedStack } from '../support/stack.ts'
import { event, startScene, type Scene } from './scene.ts'

/** A generator of numbers between 0 and 1 that gives the same ones in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('Streams with past events', function () {
  this.timeout(120_000)
  let scene: Scene

  before(async () => {
    scene = await startScene({ uri: sharedStack().MONGODB_URI as string })
  })
  after(() => scene.close())

  const expectOnceInOrder = async (ids: number[], filter: object): Promise<void> => {
    const stored = await scene.store.traces
      .find(filter, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .toArray()
    expect(ids).to.deep.equal(stored.map(({ _id: id }) => id))
  }

  it('join past and live events without gaps or duplicates while a writer runs', async () => {
    const { id, tasks } = await scene.batch(8)
    const clients: ReturnType<Scene['connect']>[] = []
    const writers = tasks.map(async (task) => {
      for (let step = 0; step < 250; step += 1) {
        await scene.write(task, { events: [event('llm_usage', { step }), event('tool_call', { step })] })
      }
      await scene.finish(task)
    })
    const all = Promise.all(writers).then(() => true)
    while (clients.length < 60 && !(await Promise.race([all, sleep(10, false)]))) {
      const path = clients.length % 2 === 0 ? `batches/${id}` : `prompts/${tasks[clients.length % 8]}`
      clients.push(scene.connect(`/ws/${path}`))
    }
    await all
    expect(clients.length).to.be.greaterThan(20)
    for (const [index, client] of clients.entries()) {
      const complete = await client.complete()
      const filter = index % 2 === 0 ? { batch_id: id } : { job_id: tasks[index % 8] }
      expect(complete.status).to.equal('completed')
      expect(client.messages.at(-1)?.type).to.equal('complete')
      await expectOnceInOrder(
        client.spans.map((span) => span.id).sort((a, b) => a - b),
        filter,
      )
    }
  })

  it('send a repeatedly reconnecting client exactly the events that it missed', async () => {
    const { id, tasks } = await scene.batch(4)
    const random = seeded(7)
    const writing = Promise.all(
      tasks.map(async (task) => {
        for (let step = 0; step < 200; step += 1) await scene.write(task, { events: [event('llm_usage', { step })] })
        await scene.finish(task)
      }),
    )
    const unsteady = async (path: string, isLast: (client: ReturnType<Scene['connect']>) => boolean) => {
      const seen: number[] = []
      for (let connections = 1; ; connections += 1) {
        const client = scene.connect(`${path}?after=${seen.at(-1) ?? 0}`)
        const stopAt = 1 + Math.floor(random() * 4)
        await client.until((own) => own.messages.length >= stopAt || isLast(own))
        // What is on its way when the client leaves is lost to it.
        client.leave()
        const ids = path === '/ws/events' ? client.events.map((one) => one.id) : client.spans.map((span) => span.id)
        seen.push(...ids.sort((a, b) => a - b))
        if (isLast(client)) return { seen, connections }
      }
    }
    const ended = (client: ReturnType<Scene['connect']>): boolean => client.completes.length > 0
    const streams = [`/ws/batches/${id}`, ...tasks.map((task) => `/ws/prompts/${task}`)]
    const results = await Promise.all(streams.map((path) => unsteady(path, ended)))
    await writing
    const filters = [{ batch_id: id }, ...tasks.map((job_id) => ({ job_id }))]
    for (const [index, { seen, connections }] of results.entries()) {
      expect(connections).to.be.greaterThan(2)
      await expectOnceInOrder(seen, filters[index] as object)
    }
    const last = await scene.store.traces.findOne({}, { sort: { _id: -1 } })
    const events = await unsteady('/ws/events', (client) => client.events.at(-1)?.id === last?._id)
    await expectOnceInOrder(events.seen, {})
  })

  it('close a client that does not read without affecting others', async () => {
    const job = await scene.execution()
    const slow = scene.connect(`/ws/prompts/${job}`)
    const quick = scene.connect(`/ws/prompts/${job}`)
    await Promise.all([slow, quick].map((client) => client.until(({ messages }) => messages.length > 0)))
    slow.socket.pause()
    const text = 'x'.repeat(400_000)
    for (let step = 0; step < 60; step += 1) {
      await scene.write(job, { events: [event('tool_call', { step, text })] })
    }
    await scene.finish(job)
    await quick.complete()
    expect(quick.spans).to.have.length(61)
    slow.socket.resume()
    expect((await slow.closed).code).to.equal(1013)
    expect(slow.spans.length).to.be.lessThan(61)
    const again = scene.connect(`/ws/prompts/${job}?after=${slow.spans.at(-1)?.id}`)
    await again.complete()
    expect(slow.spans.length + again.spans.length).to.equal(61)
    await expectOnceInOrder(
      [...slow.spans, ...again.spans].map((span) => span.id),
      { job_id: job },
    )
  })

  it('report the deletion of an execution to waiting clients, and close', async () => {
    const job = await scene.execution()
    const text = 'x'.repeat(400_000)
    for (let step = 0; step < 40; step += 1) {
      await scene.write(job, { events: [event('tool_call', { step, text })] })
    }
    await scene.finish(job)
    const told = scene.connect(`/ws/prompts/${job}`)
    await told.complete()
    const late = scene.connect(`/ws/prompts/${job}`)
    await late.until(({ messages }) => messages.length > 0)
    late.socket.pause()
    await scene.store.executions.deleteOne({ _id: job })
    await scene.store.traces.deleteMany({ job_id: job })
    late.socket.resume()
    expect((await late.closed).code).to.equal(1000)
    expect(late.messages.map(({ type }) => type))
      .to.include('traces')
      .and.not.include('complete')
    expect(late.messages.at(-1)?.data.error).to.equal(`The prompt ${job} was deleted.`)
    expect(told.socket.readyState).to.equal(told.socket.OPEN)
    for (let visitor = 0; visitor < 2; visitor += 1) {
      const { closed } = scene.connect(`/ws/prompts/${job}`)
      expect((await closed).code, `visitor ${visitor}`).to.equal(1000)
    }
  })

  it('send many past events at the pace of a slow reader', async () => {
    const job = await scene.execution()
    const text = 'x'.repeat(400_000)
    for (let step = 0; step < 40; step += 1) {
      await scene.write(job, { events: [event('tool_call', { step, text })] })
    }
    await scene.finish(job)
    const slow = scene.connect(`/ws/prompts/${job}`)
    await slow.until(({ messages }) => messages.length > 0)
    slow.socket.pause()
    const quick = scene.connect(`/ws/prompts/${job}`)
    await quick.complete()
    slow.socket.resume()
    await slow.complete()
    expect(slow.spans).to.have.length(41)
  })
})
