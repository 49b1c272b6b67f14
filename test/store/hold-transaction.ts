import { setTimeout as sleep } from 'node:timers/promises'
import { connectStore } from '../../store/mongodb/connect.ts'

// Holds the counter inside a transaction until it is killed.
const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = process.env
const store = connectStore({ uri, database, appName: 'troupe-worker' })
const session = store.client.startSession()
session.startTransaction()
await store.counters.updateOne({ _id: 'ledger' }, { $inc: { last_trace_id: 100 } }, { session })
process.send?.('held')
await sleep(600_000)
