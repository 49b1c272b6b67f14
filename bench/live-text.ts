import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { connectStore, type Store } from '../store/mongodb/connect.ts'
import { startApi, startWorker, type ServiceProcess } from '../test/support/processes.ts'
import { request, TEST_AGENTS } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { processUse } from './process-use.ts'
import { timesOf } from './statistics.ts'

const RUNS = 500
const PIECES = 600
const EVERY_MS = 100
/** The measured interval: after all outputs have started, before they end. */
const MEASURED_MS = 10_000

/**
 * S8: `node bench/live-text.ts`: 500 runs whose model sends ten deltas per second for a minute, without watchers and then each
 * watched by a client. Reports the cost of watching, and the age of a delta when it reaches its client.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  const [stack, model] = await Promise.all([startStack(), startModel()])
  const provider = { OPENAI_COMPATIBLE_BASE_URL: model.url, OPENAI_COMPATIBLE_API_KEY: 'bench' }
  const env: Record<string, string> = {
    ...stack.env,
    ...provider,
    AGENTS_DIR: TEST_AGENTS,
    TEST_FOLDER: folder,
    LOG_LEVEL: 'warn',
  }
  const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  const store = connectStore({
    uri: env.MONGODB_URI ?? '',
    database: env.MONGODB_DATABASE ?? 'troupe',
    appName: 'bench',
  })
  try {
    const scene = { url: api.url, wsUrl: api.wsUrl, store, worker, api, model }
    const unwatched = await measure(scene, false)
    const watched = await measure(scene, true)
    console.table({ unwatched, watched, 'watched, goal': { 'writes/s': '≤ 2,500', 'worker cores': 'unwatched + 0.3' } })
  } finally {
    await Promise.all([api.stop(), worker.stop()])
    await store.close()
    await stack.stop()
    model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Scene {
  url: string
  wsUrl: string
  store: Store
  worker: ServiceProcess
  api: ServiceProcess
  model: { writing: () => number }
}

async function measure({ url, wsUrl, store, worker, api, model }: Scene, watched: boolean) {
  const tasks = Array.from({ length: RUNS }, (_, index) => ({ query: `run ${index}` }))
  const { body } = await request(url, 'POST', '/api/agents/provider/batch', { tasks })
  const ages: number[] = []
  const sockets = watched
    ? (body.job_ids as string[]).map((id) => follow(`${wsUrl}/ws/prompts/${id}?deltas=true`, ages))
    : []
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  while (model.writing() < RUNS) await sleep(50)
  // Excludes the cost of starting to watch.
  await Promise.all(sockets.map(untilDelta))
  await sleep(1_000)
  const before = await useOf(store, worker, api)
  ages.length = 0
  await sleep(MEASURED_MS)
  const after = await useOf(store, worker, api)
  const seconds = MEASURED_MS / 1_000
  const { p50, p95, p99 } = timesOf(ages)
  const figures = {
    'writes/s': (after.writes - before.writes) / seconds,
    'worker cores': (after.workerMs - before.workerMs) / MEASURED_MS,
    'API cores': (after.apiMs - before.apiMs) / MEASURED_MS,
    'age p50 (ms)': p50,
    'age p95 (ms)': p95,
    'age p99 (ms)': p99,
  }
  const path = `/api/batches/${body.batch_id}?results=false&inputs=false&ids=false`
  while ((await request(url, 'GET', path)).body.status !== 'completed') await sleep(250)
  for (const socket of sockets) socket.close()
  return figures
}

/** A client that records the age of the newest delta of each message; deltas contain the time at which they were sent. */
function follow(address: string, ages: number[]): WebSocket {
  const socket = new WebSocket(address)
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; data: { text: string } }
    const sentAt = message.type === 'delta' ? Number(/(\d{13}) $/.exec(message.data.text)?.[1]) : Number.NaN
    if (!Number.isNaN(sentAt)) ages.push(Date.now() - sentAt)
  })
  return socket
}

function untilDelta(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('"type":"delta"')) resolve()
    })
  })
}

async function useOf(store: Store, worker: ServiceProcess, api: ServiceProcess) {
  const { opcounters } = (await store.db.admin().serverStatus()) as { opcounters: Record<string, number> }
  const writes = (opcounters.insert ?? 0) + (opcounters.update ?? 0) + (opcounters.delete ?? 0)
  const [workerMs, apiMs] = [worker, api].map(({ pid }) => processUse(pid as number).cpuMs) as [number, number]
  return { writes, workerMs, apiMs }
}

/** A slow model; each delta is the time at which it was sent. */
async function startModel() {
  let writing = 0
  const server = createServer(async (incoming, response) => {
    await incoming.toArray()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    writing += 1
    for (let piece = 0; piece < PIECES && !response.closed; piece += 1) {
      response.write(chunk({ content: `${Date.now()} ` }, null))
      await sleep(EVERY_MS)
    }
    writing -= 1
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, writing: () => writing, close: () => void server.close() }
}

function chunk(delta: object, finish_reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}

await main()
