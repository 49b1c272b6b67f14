import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { streamDeltas } from '../../api/streams/deltas.ts'
import { createLog } from '../../log.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import type { PartialDocument } from '../../store/documents.ts'
import type { Feed } from '../../store/feed/feed.ts'
import { FeedTopics } from '../../store/feed/topics.ts'
import { sharedStack } from '../support/stack.ts'
import { Client } from './client.ts'

describe('Deltas after interruptions of the feed', function () {
  this.timeout(60_000)
  const log = createLog('test', 'silent')
  const topics = new FeedTopics((error) => expect.fail(String(error)))
  const feed: Pick<Feed, 'subscribe'> = { subscribe: (topic, subscriber) => topics.add(topic, subscriber) }
  let store: Store
  let server: WebSocketServer
  let client: Client

  before(async () => {
    const uri = sharedStack().MONGODB_URI as string
    store = connectStore({ uri, database: `deltas-${randomUUID().slice(0, 8)}`, appName: 'test' })
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
  })
  after(async () => {
    client.leave()
    await client.closed
    await new Promise((resolve) => server.close(resolve))
    await store.db.dropDatabase()
    await store.close()
  })

  it('are complete and in order after several interruptions in quick succession', async () => {
    const job = randomUUID()
    const text = 'pieces'
    const pieces: PartialDocument[] = Array.from(text, (letter, offset) => ({
      ...{ _id: `${job}|0.m00000|1|0000${offset}`, job_id: job, agent_name: 'tester', step: '0.m00000', attempt: 1 },
      ...{ offset, kind: 'text', text: letter, at: new Date() },
    }))
    await store.partials.insertMany(pieces.slice(0, 4))
    const unhandled: unknown[] = []
    const note = (error: unknown): unknown => unhandled.push(error)
    process.on('unhandledRejection', note)
    const connected = once(server, 'connection') as Promise<[WebSocket]>
    client = new Client(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const [socket] = await connected
    const streaming = streamDeltas({ store, feed: feed as Feed, log }, socket, { job })
    topics.gap()
    topics.gap()
    topics.deliver({ traces: [], states: [], partials: pieces.slice(4, 5) })
    const offsets = (): unknown[] => client.messages.map(({ data }) => data.offset)
    await client.until(() => [0, 1, 2, 3, 4].every((offset) => offsets().includes(offset)))
    await streaming
    topics.deliver({ traces: [], states: [], partials: pieces.slice(5) })
    await client.until(() => offsets().includes(5))
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
    // Each reading of the past sends what there is of it once more; no piece comes without those before it.
    const seen = offsets() as number[]
    for (const [index, offset] of seen.entries()) {
      expect(offset === 0 || seen.slice(0, index).includes(offset - 1), String(seen)).to.equal(true)
    }
  })
})
