import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAnswers, type Answers, type Claim } from '../../store/spending/answers.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'
import { eventually } from '../support/service.ts'

describe('The answer to equal calls', function () {
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
  const claim = (id: string, worker: number, longestWaitMs?: number): Promise<Claim> =>
    (workers[worker] as Answers).claim(id, 'asker', { signal, isFresh: false, longestWaitMs })
  const leaseOf = (claimed: Claim) => ('lease' in claimed ? claimed.lease : expect.fail('somebody else has the lease'))

  it('is waited for here and in other workers, for so long or for as long as it takes', async () => {
    const lease = leaseOf(await claim('a', 0))
    const patient = [claim('a', 0), claim('a', 1)]
    for (const worker of [0, 1]) leaseOf(await claim('a', worker, 100))
    await lease.keep('made once', undefined)
    expect(await Promise.all(patient)).to.deep.equal([{ answer: 'made once' }, { answer: 'made once' }])
  })

  it('is not forgotten while it is being made', async () => {
    const lease = leaseOf(await claim('b', 0))
    const expiry = async () => (await store.cache.findOne({ _id: 'b' }))?.expires_at?.getTime() ?? 0
    const first = await expiry()
    await eventually(expiry, (later) => later > first, 20_000)
    await lease.release()
    await sleep(10)
    expect(await store.cache.findOne({ _id: 'b' })).to.equal(null)
  })
})
