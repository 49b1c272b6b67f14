import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { startStack, type PrivateStack } from '../support/stack.ts'

describe('the embedded stack', () => {
  let stack: PrivateStack

  before(async () => {
    stack = await startStack()
  })
  after(() => stack.stop())

  it('keeps what mongod acknowledged when it is killed, on the same port', async () => {
    const client = new MongoClient(stack.env.MONGODB_URI!)
    try {
      const things = client.db('test').collection<{ _id: number }>('things')
      await things.insertOne({ _id: 1 }, { writeConcern: { w: 'majority', journal: true } })
      const { mongod } = stack.servers
      const before = mongod.pid
      await mongod.kill()
      expect(mongod.pid).to.equal(undefined)
      await mongod.restart()
      expect(mongod.pid).to.be.a('number').and.not.equal(before)
      expect(await things.countDocuments()).to.equal(1)
    } finally {
      await client.close()
    }
  })
})
