import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** A thread that requests health until it is stopped; then it reports the duration of each response in milliseconds. */
const PAUSE_MS = 250
const port = parentPort
if (port === null) throw new Error('health-watch.ts runs as a worker thread')
const { url } = workerData as { url: string }
const took: number[] = []
let stopped = false
void once(port, 'message').then(() => (stopped = true))
while (!stopped) {
  const startedAt = performance.now()
  await (await fetch(`${url}/api/health`)).text()
  took.push(performance.now() - startedAt)
  await sleep(PAUSE_MS)
}
port.postMessage(took)
