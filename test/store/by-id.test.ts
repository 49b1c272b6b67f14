import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { MongoClient, type Collection } from 'mongodb'
import { readsById } from '../../store/mongodb/by-id.ts'
import { isolated, sharedStack } from '../support/stack.ts'

interface Thing {
  _id: string
  size: number
  text: string
}

describe('readsById', () => {
  let client: MongoClient
  let things: Collection<Thing>
  let queries = 0

  before(async () => {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = isolated(sharedStack())
    client = await MongoClient.connect(uri ?? '', { monitorCommands: true })
    client.on('commandStarted', ({ commandName }) => (queries += commandName === 'find' ? 1 : 0))
    things = client.db(database).collection('things')
  })
  beforeEach(() => (queries = 0))
  after(async () => {
    await client.db(things.dbName).dropDatabase()
    await client.close()
  })

  async function stored(count: number): Promise<string[]> {
    const all = Array.from({ length: count }, (_, size) => ({ _id: randomUUID(), size, text: 'x' }))
    await things.insertMany(all)
    return all.map(({ _id }) => _id)
  }

  it('reads in one query what is asked for at the same time, each for whoever asked', async () => {
    const ids = await stored(3)
    const read = readsById(things)
    const found = await Promise.all([...ids, 'nobody', ids[0] ?? ''].map((id) => read(id)))
    expect(found.map((thing) => thing?._id)).to.deep.equal([...ids, undefined, ids[0]])
    expect(queries).to.equal(1)
  })

  it('reads what was written before it was asked, also while another query is under way', async () => {
    const [id = ''] = await stored(1)
    const read = readsById(things)
    const early = read(id)
    while (queries === 0) await new Promise((resolve) => setImmediate(resolve))
    await things.updateOne({ _id: id }, { $set: { size: 7 } })
    expect((await read(id))?.size).to.equal(7)
    expect(await early).not.to.equal(null)
  })

  it('bounds a query', async () => {
    const ids = await stored(150)
    const read = readsById(things)
    expect((await Promise.all(ids.map(read))).map((thing) => thing?.size)).to.deep.equal(ids.map((_, size) => size))
    expect(queries).to.equal(3)
  })

  it('reads only the fields that are wanted', async () => {
    const [id = ''] = await stored(1)
    expect(await readsById(things, ['size'])(id)).to.deep.equal({ _id: id, size: 0 })
  })
})
