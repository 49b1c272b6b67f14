import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sharedStack } from '../support/stack.ts'
import { event, startScene, type Scene } from './scene.ts'

describe('the batch stream', function () {
  this.timeout(60_000)
  let scene: Scene

  before(async () => {
    scene = await startScene({ uri: sharedStack().MONGODB_URI as string })
  })
  after(() => scene.close())

  const run = async (tasks: string[]): Promise<void> => {
    await Promise.all(tasks.map((task) => scene.write(task, { events: [event('task_start', { inputs: { task } })] })))
    await Promise.all(tasks.map((task) => scene.write(task, { events: [event('llm_usage', { model: 'm' })] })))
    await Promise.all(tasks.map((task) => scene.finish(task)))
  }

  it('groups by job within a message and keeps the order of ids across messages', async () => {
    const { id, tasks } = await scene.batch(40)
    const client = scene.connect(`/ws/batches/${id}`)
    await client.until(({ messages }) => messages.length > 0)
    await run(tasks)
    const complete = await client.complete()
    const all = client.spans.map((span) => span.id).sort((a, b) => a - b)
    expect(all).to.deep.equal([...new Set(all)])
    expect(all).to.have.length(120)
    let highest = 0
    for (const { type, data } of client.messages) {
      if (type !== 'traces' || data.count === 0) continue
      const ids = data.spans.map((span) => span.id)
      expect(Math.min(...ids)).to.be.greaterThan(highest)
      highest = Math.max(...ids)
      const jobs = data.spans.map(({ metadata }) => metadata.job_id as string)
      const runs = jobs.filter((job, index) => job !== jobs[index - 1])
      expect(runs).to.deep.equal([...new Set(jobs)])
      for (const job of runs) {
        const own = data.spans.filter(({ metadata }) => metadata.job_id === job).map((span) => span.id)
        expect(own).to.deep.equal([...own].sort((a, b) => a - b))
      }
    }
    expect(complete).to.include({ status: 'completed', error: null })
    expect(complete.outputs.summary).to.deep.equal({ total_expected: 40, recorded: 40, succeeded: 40, failed: 0 })
    const results = complete.outputs.results as Record<string, unknown>
    expect(Object.keys(results)).to.have.members(tasks)
    expect(results[tasks[0] as string]).to.deep.equal({
      status: 'success',
      response: { status: 'success', result: { answer: 42 }, error: null },
    })
    const roots = complete.spans.filter(({ event_type }) => event_type === 'task_start')
    expect(roots.map(({ metadata }) => metadata.job_id)).to.have.members(tasks)
  })

  it('shows failed and canceled tasks', async () => {
    const { id, tasks } = await scene.batch(2)
    const end = { outputs: null, latencyMs: 1, at: new Date() }
    await scene.finish(tasks[0] as string, { events: [], finish: { ...end, status: 'failed', error: 'no' } })
    await scene.finish(tasks[1] as string, {
      events: [],
      stoppedAt: new Date(),
      finish: { ...end, status: 'canceled', error: null },
    })
    const complete = await scene.connect(`/ws/batches/${id}`).complete()
    expect(complete.outputs).to.deep.equal({
      results: {
        [tasks[0] as string]: { status: 'error', response: { status: 'error', result: { error: 'no' }, error: 'no' } },
        [tasks[1] as string]: { status: 'canceled', response: { status: 'canceled', result: null, error: null } },
      },
      summary: { total_expected: 2, recorded: 2, succeeded: 0, failed: 2 },
    })
  })

  it('sends complete after the last event of a task that was canceled and has not stopped yet', async () => {
    const { id, tasks } = await scene.batch(3)
    const [quick, slow, slower] = tasks as [string, string, string]
    const client = scene.connect(`/ws/batches/${id}`)
    await scene.finish(quick)
    const finish = { status: 'canceled', outputs: null, error: null, latencyMs: 1, at: new Date() } as const
    for (const task of [slow, slower]) await scene.write(task, { finish })
    const late = scene.connect(`/ws/batches/${id}`)
    await late.until(({ spans }) => spans.length === 1)
    for (const task of [slower, slow]) {
      await sleep(300)
      await scene.write(task, { events: [event('llm_usage', { model: 'm' })], stoppedAt: new Date() })
    }
    for (const each of [client, late]) {
      const complete = await each.complete()
      expect(complete.spans).to.have.length(3)
      expect(each.spans).to.have.length(3)
      expect(each.messages.at(-1)?.type).to.equal('complete')
      expect(each.completes).to.have.length(1)
    }
  })

  it('goes on after a revival: traces again and another complete', async () => {
    const { id, tasks } = await scene.batch(3)
    const client = scene.connect(`/ws/batches/${id}`)
    await client.until(({ messages }) => messages.length > 0)
    await run(tasks)
    await client.complete()
    const before = client.spans.length
    const added = await scene.addTasks(id, 2)
    await run(added)
    const complete = await client.complete(2)
    expect(client.spans.length - before).to.equal(6)
    expect(complete.outputs.summary).to.include({ total_expected: 5, recorded: 5 })
    expect(client.completes).to.have.length(2)
    const later = scene.connect(`/ws/batches/${id}`)
    await later.complete()
    expect(later.spans).to.have.length(15)
  })

  it('caps the results of complete in bytes', async () => {
    const { id, tasks } = await scene.batch(40)
    const outputs = { json: JSON.stringify({ text: 'é'.repeat(40_000) }) }
    const finish = { status: 'completed', outputs, error: null, latencyMs: 1, at: new Date() } as const
    await Promise.all(tasks.map((task) => scene.finish(task, { finish })))
    const complete = await scene.connect(`/ws/batches/${id}`).complete()
    expect(complete.truncated).to.equal(true)
    expect(Buffer.byteLength(JSON.stringify(complete))).to.be.lessThan(4_194_304)
    expect(complete.outputs.summary).to.include({ succeeded: 40 })
  })

  it('tells an unknown id', async () => {
    const client = scene.connect(`/ws/batches/${await scene.execution()}`)
    expect((await client.closed).code).to.equal(1000)
    expect(client.messages.map(({ type }) => type)).to.deep.equal(['error'])
  })
})
