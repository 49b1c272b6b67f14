import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig, required } from '../config.ts'
import { connectStore } from '../store/mongodb/connect.ts'
import { leaveTraceGap } from '../store/ledger/trace-gap.ts'
import { isTransient } from '../store/mongodb/transient.ts'

// Run by deploy/restore.sh between the databases and the service: nothing may write events yet.

const DEADLINE_MS = 300_000
/** Without a pause nothing else would run: until the driver is connected, whatever is asked fails in the same moment. */
const PAUSE_MS = 500

const config = loadConfig()
const store = connectStore({
  uri: required(config, 'MONGODB_URI'),
  database: config.MONGODB_DATABASE,
  appName: 'troupe-restore',
})
const deadline = Date.now() + DEADLINE_MS
try {
  for (;;) {
    try {
      process.stdout.write(`Trace events go on behind id ${await leaveTraceGap(store)}.\n`)
      break
    } catch (error) {
      // The nodes have just started, and elect their primary.
      if (!isTransient(error) || Date.now() > deadline) throw error
      await delay(PAUSE_MS)
    }
  }
} finally {
  await store.close()
}
