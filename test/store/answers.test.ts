import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAnswers, type Answers, type Claim } from '../../store/spending/answers.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'
import { eventually } from '../support/service.ts'

describe('The response to equal calls', function () {
  this.timeout(60_000)
  let store: Store
  let workers: Answers[]

  before(async () => {
    store = await openOwnStore()
    const contents = { put: (_key: string, value: unknown) => Promise.resolve({ json: JSON.stringify(value) }) }
    const log = { warn: () => undefined }
    workers = [1, 2].map(() => createAnswers({ store, contents, log } as never))
  })
  after(async () => {
    await dropOwnStore(store)
  })

  const { signal } = new AbortController()
  const claim = (id: string, worker: number, longestWaitMs?: number, maxAgeSeconds?: number): Promise<Claim> =>
    (workers[worker] as Answers).claim(id, 'asker', { signal, isFresh: false, longestWaitMs, maxAgeSeconds })
  const leaseOf = (claimed: Claim) => ('lease' in claimed ? claimed.lease : expect.fail('another call has the lease'))

  it('is awaited in all workers, with or without a time limit', async () => {
    const lease = leaseOf(await claim('a', 0))
    const patient = [claim('a', 0), claim('a', 1)]
    for (const worker of [0, 1]) await leaseOf(await claim('a', worker, 100)).release()
    await lease.keep('made once', undefined)
    expect(await Promise.all(patient)).to.deep.equal([{ answer: 'made once' }, { answer: 'made once' }])
  })

  it('keeps its lease while it is produced', async () => {
    const lease = leaseOf(await claim('b', 0))
    const expiry = async () => (await store.cache.findOne({ _id: 'b' }))?.expires_at?.getTime() ?? 0
    const first = await expiry()
    await eventually(expiry, (later) => later > first, 20_000)
    await lease.release()
    await sleep(10)
    expect(await store.cache.findOne({ _id: 'b' })).to.equal(null)
  })

  it('is not older than the maximum age of the caller', async () => {
    await leaseOf(await claim('c', 0)).keep('of old', undefined)
    await store.cache.updateOne({ _id: 'c' }, { $set: { at: new Date(Date.now() - 3_600_000) } })
    expect(await claim('c', 0)).to.deep.equal({ answer: 'of old' })
    expect(await claim('c', 1, undefined, 7_200)).to.deep.equal({ answer: 'of old' })
    const lease = leaseOf(await claim('c', 1, undefined, 60))
    const others = [claim('c', 0), claim('c', 1)]
    await lease.keep('$new', 60)
    expect(await Promise.all(others)).to.deep.equal([{ answer: '$new' }, { answer: '$new' }])
    expect(await claim('c', 0, undefined, 60)).to.deep.equal({ answer: '$new' })
    await store.cache.updateOne({ _id: 'c' }, { $set: { expires_at: new Date(Date.now() - 10) } })
    await leaseOf(await claim('c', 0)).release()
  })
})
