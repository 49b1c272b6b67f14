import { expect } from 'chai'
import { startMongod, type PrivateMongod } from './private-mongod.ts'
import { startProxy } from '../support/proxy.ts'
import { event, startScene, type Scene } from './scene.ts'

describe('Streams while MongoDB is unavailable', function () {
  this.timeout(180_000)
  let mongod: PrivateMongod

  before(async () => {
    mongod = await startMongod()
  })
  after(() => mongod.stop())

  const write = (scene: Scene, job: string, count: number): Promise<void[]> =>
    Promise.all(
      Array.from({ length: count }, (_, step) => scene.write(job, { events: [event('llm_usage', { step })] })),
    )

  it('continue without a gap when it is killed and restarted', async () => {
    const scene = await startScene({ uri: mongod.uri })
    try {
      const job = await scene.execution()
      const other = await scene.execution()
      const events = scene.connect('/ws/events')
      const client = scene.connect(`/ws/prompts/${job}`)
      await Promise.all([client.until(({ messages }) => messages.length > 0), events.opened()])
      await write(scene, job, 20)
      const writing = write(scene, job, 30)
      await mongod.kill()
      const waiting = write(scene, other, 5)
      await mongod.start()
      await Promise.all([writing, waiting])
      await scene.finish(job)
      await client.complete()
      const late = scene.connect(`/ws/prompts/${job}`)
      await late.complete()
      const stored = await scene.store.traces.find({}).sort({ _id: 1 }).toArray()
      const ids = stored.filter(({ job_id }) => job_id === job).map(({ _id: id }) => id)
      expect(ids).to.have.length(51)
      expect(client.spans.map((span) => span.id)).to.deep.equal(ids)
      expect(late.spans.map((span) => span.id)).to.deep.equal(ids)
      await events.until((own) => own.events.at(-1)?.id === stored.at(-1)?._id)
      expect(events.events.map(({ id }) => id)).to.deep.equal(stored.map(({ _id: id }) => id))
    } finally {
      await scene.close()
    }
  })

  it('read events and ends that the change stream can no longer deliver', async () => {
    const proxy = await startProxy(mongod.port)
    const serverUri = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`
    const scene = await startScene({ uri: mongod.uri, serverUri })
    try {
      const job = await scene.execution()
      const finished = await scene.execution()
      let gaps = 0
      scene.feed.subscribe('all', { onGap: () => (gaps += 1) })
      const events = scene.connect('/ws/events')
      const [client, ended] = [job, finished].map((id) => scene.connect(`/ws/prompts/${id}`)) as [
        ReturnType<Scene['connect']>,
        ReturnType<Scene['connect']>,
      ]
      await Promise.all([events.opened(), ...[client, ended].map((one) => one.until((own) => own.messages.length > 0))])
      await write(scene, job, 5)
      await client.until(({ spans }) => spans.length === 5)
      proxy.cut()
      await write(scene, job, 30)
      await scene.finish(finished)
      await loseHistory(scene)
      proxy.mend()
      const complete = await ended.complete()
      expect(complete.status).to.equal('completed')
      expect(ended.spans).to.have.length(1)
      await write(scene, job, 5)
      await scene.finish(job)
      await client.complete()
      expect(gaps).to.be.greaterThan(0)
      const stored = await scene.store.traces.find({}).sort({ _id: 1 }).toArray()
      const ids = stored.filter(({ job_id }) => job_id === job).map(({ _id: id }) => id)
      expect(ids).to.have.length(41)
      expect(client.spans.map((span) => span.id)).to.deep.equal(ids)
      await events.until((own) => own.events.at(-1)?.id === stored.at(-1)?._id)
      expect(events.events.map(({ id }) => id)).to.deep.equal(stored.map(({ _id: id }) => id))
    } finally {
      await scene.close()
      await proxy.close()
    }
  })

  it('ask a client to reconnect when its execution cannot be read', async () => {
    const proxy = await startProxy(mongod.port)
    const scene = await startScene({
      uri: mongod.uri,
      serverUri: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`,
    })
    try {
      const job = await scene.execution()
      proxy.cut()
      const client = scene.connect(`/ws/prompts/${job}`)
      expect((await client.closed).code).to.equal(1013)
      expect(client.messages.map(({ type }) => type)).to.deep.equal(['error'])
      proxy.mend()
      const again = scene.connect(`/ws/prompts/${job}`)
      await again.until(({ messages }) => messages[0]?.type === 'traces')
    } finally {
      await scene.close()
      await proxy.close()
    }
  })
})

/** The next change stream that the server side opens is refused: the server's log no longer reaches back to its token. */
async function loseHistory({ store }: Scene): Promise<void> {
  const changeStreamHistoryLost = 286
  await store.client.db('admin').command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: ['aggregate'], appName: 'streams', errorCode: changeStreamHistoryLost },
  })
}
