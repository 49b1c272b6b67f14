import { expect } from 'chai'
import type { Document } from 'mongodb'
import { endingWith, readPage } from '../../api/reads/page-of-list.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { buildExecution } from '../build/execution.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'
import { eventually } from '../support/service.ts'

const FAR = 1_000_000
/** Longer than MongoDB may work on it. */
const DOCUMENTS = 400
const SLOWLY = { $where: 'sleep(100) || true' }

describe('A page with a large offset', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => {
    store = await openOwnStore()
    await store.executions.insertMany(Array.from({ length: DOCUMENTS }, () => buildExecution()))
  })
  after(() => dropOwnStore(store))

  const read = (offset: number, signal: AbortSignal): Promise<unknown> => {
    const page = { limit: 10, offset, signal }
    return readPage(store.executions.find(SLOWLY as never, { comment: 'far', ...endingWith(page) }), page)
  }
  const underWay = async (): Promise<Document[]> =>
    store.client
      .db('admin')
      .aggregate([
        { $currentOp: {} },
        { $match: { 'command.comment': 'far', ns: `${store.db.databaseName}.executions` } },
      ])
      .toArray()

  it('is not read any more when its client has left, nor one that waits for its turn', async () => {
    const clients = Array.from({ length: 5 }, () => new AbortController())
    const reads = clients.map(({ signal }) => read(FAR, signal).catch((error: unknown) => error))
    expect(await eventually(underWay, (found) => found.length === 2)).to.have.length(2)
    const left = new Error('The client has left.')
    for (const client of clients) client.abort(left)
    expect(new Set(await Promise.all(reads))).to.deep.equal(new Set([left]))
    // MongoDB itself would have gone on for its whole time, which is longer than what is waited for here.
    await eventually(underWay, (found) => found.length === 0, 8_000)
    await store.executions.findOne({})
  })
})
