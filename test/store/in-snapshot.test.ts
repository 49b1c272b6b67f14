import { expect } from 'chai'
import { connectStore } from '../../store/mongodb/connect.ts'
import { inSnapshot } from '../../store/mongodb/in-snapshot.ts'
import { readMinutes } from '../../store/ledger/series.ts'
import { isolated, sharedStack } from '../support/stack.ts'

describe('Reads of one moment', () => {
  it('wait for the first connection of a process, like any other', async () => {
    const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = isolated(sharedStack())
    const store = connectStore({ uri, database, appName: 'test' })
    try {
      const [other, batch, minutes] = await Promise.all([
        store.batches.findOne({ _id: 'none' }),
        inSnapshot(store, (session) => store.batches.findOne({ _id: 'none' }, { session })),
        readMinutes(store, new Date()),
      ])
      expect([other, batch, minutes]).to.deep.equal([null, null, []])
    } finally {
      await store.close()
    }
  })
})
