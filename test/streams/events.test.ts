import { expect } from 'chai'
import { sharedStack } from '../support/stack.ts'
import { event, startScene, type Scene } from './scene.ts'

describe('the system events stream', function () {
  this.timeout(60_000)
  let scene: Scene

  before(async () => {
    scene = await startScene({ uri: sharedStack().MONGODB_URI as string })
  })
  after(() => scene.close())

  it('starts now; sends one event as trace and several as batch', async () => {
    const job = await scene.execution()
    // "Now" is where the server's feed is: what was committed a moment ago may still be on its way to it.
    const watcher = scene.connect('/ws/events')
    await watcher.opened()
    await scene.write(job, { events: [event('task_start')] })
    await watcher.until(({ events }) => events.some(({ event_type }) => event_type === 'task_start'))
    const first = scene.connect('/ws/events')
    await first.opened()
    await scene.write(job, { events: [event('tool_call', { secret: 'of no concern here' })] })
    await first.until(({ events }) => events.some(({ event_type }) => event_type === 'tool_call'))
    const message = first.messages[0]
    const stored = await scene.store.traces.findOne({ event_type: 'tool_call', job_id: job })
    expect(message).to.deep.equal({
      type: 'trace',
      data: {
        ...{ id: stored?._id, job_id: job, agent_name: 'tester', event_type: 'tool_call' },
        timestamp: stored?.timestamp.toISOString(),
      },
    })
    await scene.write(job, { events: [event('llm_usage'), event('task_complete')] })
    await first.until(({ events }) => events.some(({ event_type }) => event_type === 'task_complete'))
    const last = first.messages.at(-1)
    expect(last?.type).to.equal('batch')
    expect(last?.events?.map(({ type, data }) => [type, data.event_type])).to.deep.equal([
      ['trace', 'llm_usage'],
      ['trace', 'task_complete'],
    ])
  })

  it('gives every event once, in order, in few messages, also to who comes back', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, () => scene.execution()))
    const client = scene.connect('/ws/events')
    await client.opened()
    const newest = await scene.store.traces.findOne({}, { sort: { _id: -1 } })
    const replay = scene.connect(`/ws/events?after=${newest?._id}`)
    const total = 1_000
    for (let step = 0; step < total / 10; step += 1) {
      await Promise.all(jobs.map((job) => scene.write(job, { events: [event('llm_usage', { step })] })))
    }
    const ids = (who: typeof client): number[] => who.events.map(({ id }) => id)
    const isLast = (newest?._id ?? 0) + total
    await Promise.all([client, replay].map((who) => who.until(({ events }) => events.at(-1)?.id === isLast)))
    const expected = Array.from({ length: total }, (_, index) => isLast - total + 1 + index)
    expect(ids(client).filter((id) => id > isLast - total)).to.deep.equal(expected)
    expect(ids(replay)).to.deep.equal(expected)
    expect(client.messages.length).to.be.lessThan(total / 3)
    const later = scene.connect(`/ws/events?after=${isLast - 700}`)
    await later.until(({ events }) => events.at(-1)?.id === isLast)
    expect(ids(later)).to.deep.equal(expected.slice(-700))
  })

  it('tells a malformed position', async () => {
    const client = scene.connect('/ws/events?after=-1')
    expect((await client.closed).code).to.equal(1000)
    expect(client.messages.map(({ type }) => type)).to.deep.equal(['error'])
  })
})
