import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectStore } from '../store/mongodb/connect.ts'
import { ensureSchema } from '../store/schema.ts'
import { startMongod } from '../test/streams/private-mongod.ts'
import { startApi } from '../test/support/processes.ts'
import { processUse } from './process-use.ts'

const HALF_OPEN = 5_000
const SLOW_READERS = 200
const PROBES = 50
const PROBE_PAUSE_MS = 100
/** Number of connections that are opened concurrently; the queue of a listening socket is limited. */
const AT_ONCE = 250
/** Number of documents in a list that is far larger than the buffer of a socket. */
const LISTED = 3_000

/**
 * Effect of bad clients on others: connections without a request or with half a request, and clients that
 * request much and read nothing. Health must respond, and half-open connections must be closed after ten seconds.
 */
const mongod = await startMongod()
const database = `bench-${randomUUID().slice(0, 8)}`
const store = connectStore({ uri: mongod.uri, database, appName: 'bench' })
await ensureSchema(store)
const api = await startApi({
  env: {
    ...{ TEMPORAL_ADDRESS: '127.0.0.1:1', S3_ENDPOINT: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'x' },
    ...{ AWS_SECRET_ACCESS_KEY: 'x', MONGODB_URI: mongod.uri, MONGODB_DATABASE: database, LOG_LEVEL: 'warn' },
  },
})
try {
  await fill()
  const quiet = await measure('nobody else', [])
  const halfOpen = await open(HALF_OPEN, (socket, n) => void (n % 2 === 0 && socket.write('GET / HTTP/1.1\r\nX-Half:')))
  const besieged = await measure(`${HALF_OPEN} half-open connections`, halfOpen)
  await Promise.all(halfOpen.map((socket) => (socket.closed ? undefined : once(socket, 'close'))))
  const goneAfterMs = Math.round(performance.now() - besieged.from)
  const path = '/api/traces?limit=1000'
  const readers = await open(SLOW_READERS, (socket) => {
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  })
  const slow = await measure(`${SLOW_READERS} clients that read nothing`, readers)
  for (const socket of readers) socket.destroy()
  console.table([quiet.row, besieged.row, slow.row])
  console.log(`The half-open connections were gone after ${(goneAfterMs / 1_000).toFixed(1)} s.`)
} finally {
  await api.stop()
  await store.close()
  await mongod.stop()
}

/** Trace events of about 10 MB a page. */
async function fill(): Promise<void> {
  const payload = JSON.stringify({ text: 'x'.repeat(10_000) })
  const documents = Array.from({ length: LISTED }, (_, index) => ({
    ...{ _id: index + 1, job_id: 'job', agent_name: 'bench', event_type: 'tool_call' as const, parent_id: null },
    ...{ payload, timestamp: new Date() },
  }))
  await store.traces.insertMany(documents)
}

async function open(count: number, then: (socket: Socket, n: number) => void): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => connect(api.port, '127.0.0.1'))
    for (const socket of more) socket.on('error', () => {}).on('data', () => {})
    await Promise.all(more.map((socket) => once(socket, 'connect')))
    for (const [index, socket] of more.entries()) then(socket, sockets.length + index)
    sockets.push(...more)
  }
  return sockets
}

/** Response times of a list during the attack, and the memory of the API process. */
async function measure(what: string, held: Socket[]) {
  const from = performance.now()
  const times: number[] = []
  for (let n = 0; n < PROBES; n += 1) {
    const startedAt = performance.now()
    const { status } = await fetch(`${api.url}/api/jobs?limit=1`)
    if (status !== 200)
      throw new Error(
        `${what}: answered ${status} after ${Math.round(performance.now() - startedAt)} ms; API ${processUse(api.pid as number).rssBytes >> 20} MB`,
      )
    times.push(performance.now() - startedAt)
    await sleep(PROBE_PAUSE_MS)
  }
  const sorted = times.toSorted((one, other) => one - other)
  const rssMb = Math.round(processUse(api.pid as number).rssBytes / 1_048_576)
  const row = {
    beside: what,
    'held at the end': held.filter((socket) => !socket.closed).length,
    'median ms': Math.round(sorted[PROBES / 2] ?? 0),
    'slowest ms': Math.round(sorted.at(-1) ?? 0),
    'API MB': rssMb,
  }
  return { from, row }
}
