import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../dev/ports.ts'
import { plainEnvironment } from '../dev/servers/server-options.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { MemoryWatch, type Memory } from './memory-watch.ts'

/** S6: `node bench/memory.ts [--large]`: memory of API and worker, idle and with a batch of 10,000 or 100,000, and the start-up time. */
const TASKS = process.argv.includes('--large') ? 100_000 : 10_000
const IDLE_MS = 10_000
const REST_MS = 30_000
const POLL_MS = 500
const RESULT_FILE = 'bench-memory.json'

const stack = await startStack()
const service = await startTestService({ stack: stack.env })
const watch = new MemoryWatch(() => ({ api: service.api.pid, worker: service.worker.pid }))
const rows: Record<string, Record<string, Memory>> = {}
const phase = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  watch.take()
  await work()
  rows[name] = watch.take()
}
try {
  await sleep(IDLE_MS)
  await phase('idle', () => sleep(1_000))
  await runBatch(service)
  await sleep(REST_MS)
  await phase(`${REST_MS / 1_000} s later`, () => sleep(1_000))
} finally {
  watch.stop()
  await service.stop()
  await stack.stop()
}
console.table(Object.fromEntries(Object.entries(rows).map(([name, most]) => [name, shown(most)])))
const starts = await startTimes()
console.table([starts])
await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), tasks: TASKS, rows, starts }, null, 2))

async function runBatch({ request, store }: TestService): Promise<void> {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ index }))
  let id = ''
  await phase(`submit ${TASKS} tasks`, async () => {
    id = (await request('POST', '/api/agents/instant/batch', { tasks })).body.batch_id
  })
  await phase('run', async () => {
    while ((await store.batches.findOne({ _id: id }))?.completed_at === null) await sleep(POLL_MS)
  })
  await phase('read without results', () => request('GET', `/api/batches/${id}?results=false`))
  await phase('read with results', async () => {
    const { summary } = (await request('GET', `/api/batches/${id}`)).body.outputs
    if (summary.succeeded !== TASKS) throw new Error(`Only ${summary.succeeded} tasks succeeded.`)
  })
}

/** Seconds from `npm start` to the first response: for a new data folder and for an existing one. */
async function startTimes(): Promise<{ first_s: number; warm_s: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-start-'))
  try {
    return { first_s: await startTime(dataDir), warm_s: await startTime(dataDir) }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startTime(dataDir: string): Promise<number> {
  const port = String(await freePort())
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...plainEnvironment(), DATA_DIR: dataDir, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
  while (!text.includes('First call') && child.exitCode === null) await sleep(20)
  const seconds = (performance.now() - startedAt) / 1_000
  if (child.exitCode !== null) throw new Error(`npm start ended:\n${text}`)
  child.kill('SIGINT')
  await once(child, 'exit')
  return Number(seconds.toFixed(2))
}

function shown(most: Record<string, Memory>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(most).flatMap(([name, { rss, pss }]) => [
      [`${name} RSS MB`, Math.round(rss)],
      [`${name} PSS MB`, Math.round(pss)],
    ]),
  )
}
