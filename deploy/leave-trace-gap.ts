import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig, required } from '../config.ts'
import { connectStore } from '../store/mongodb/connect.ts'
import { leaveTraceGap } from '../store/ledger/trace-gap.ts'
import { isTransient } from '../store/mongodb/transient.ts'

// deploy/restore.sh runs this after the databases have started and before the service starts: nothing may write events yet.

const DEADLINE_MS = 300_000
/** Until the driver is connected, requests fail immediately; without a pause the loop would block everything else. */
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
      process.stdout.write(`Trace events continue after id ${await leaveTraceGap(store)}.\n`)
      break
    } catch (error) {
      // The nodes have just started and are electing their primary.
      if (!isTransient(error) || Date.now() > deadline) throw error
      await delay(PAUSE_MS)
    }
  }
} finally {
  await store.close()
}
