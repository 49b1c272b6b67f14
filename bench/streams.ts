import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../log.ts'
import { connectStore, type Store } from '../store/mongodb/connect.ts'
import { ensureSchema } from '../store/schema.ts'
import type { ExecutionDocument } from '../store/documents.ts'
import { createLedger, type Ledger } from '../store/ledger/ledger.ts'
import { startMongod } from '../test/streams/private-mongod.ts'
import { startApi, type ApiProcess } from '../test/support/processes.ts'
import { processUse } from './process-use.ts'
import { connectHerd, Watcher } from './stream-watchers.ts'

/** Results of a scenario; delays are from the acknowledged commit to the message in the client. */
interface Result {
  scenario: string
  sockets: number
  events_per_second: number
  delay_ms_median: number
  delay_ms_p99: number
  delivered: number
  expected: number
  api_cpu_percent: number
  api_rss_mb: number
  memory_per_socket_kb: number
}

const SECONDS = 10
/** S5, and a thousand prompts with fifty concurrent clients of the system events. */
const PROMPT_SCENARIOS = [
  { prompts: 1, eventWatchers: 0 },
  { prompts: 200, eventWatchers: 0 },
  { prompts: 1_000, eventWatchers: 50 },
  { prompts: 2_000, eventWatchers: 0 },
]
/** A stream sends at most about ten messages per second, as documented; more frequent events wait for the next message. */
const LEAST_EVENTS_PER_SECOND = 5
const RESULT_FILE = 'bench-streams.json'
const HERD = 10_000
const SAMPLED = 100

const mongod = await startMongod()
const database = `bench-${randomUUID().slice(0, 8)}`
const store = connectStore({ uri: mongod.uri, database, appName: 'bench' })
await ensureSchema(store)
const ledger = createLedger({ store, log: createLog('bench', 'silent'), tracing: true, timeoutMs: Infinity })
// Not used, because the streams need only MongoDB.
const unused = { TEMPORAL_ADDRESS: '127.0.0.1:1', S3_ENDPOINT: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'x' }
const env = {
  ...unused,
  AWS_SECRET_ACCESS_KEY: 'x',
  MONGODB_URI: mongod.uri,
  MONGODB_DATABASE: database,
  LOG_LEVEL: 'warn',
}
try {
  const results: Result[] = []
  for (const scenario of PROMPT_SCENARIOS) results.push(...(await inOwnProcess((api) => watchPrompts(api, scenario))))
  results.push(...(await inOwnProcess(watchEvents)))
  console.table(results)
  await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), results }, null, 2))
} finally {
  await store.close()
  await mongod.stop()
}

/** Each scenario has a separate API process, so that memory is measured separately. */
async function inOwnProcess(scenario: (api: ApiProcess) => Promise<Result[]>): Promise<Result[]> {
  const api = await startApi({ env })
  try {
    return await scenario(api)
  } finally {
    await api.stop()
  }
}

/** Prompts with about one event per second, each watched by one client, and additional clients of the system events. */
async function watchPrompts(api: ApiProcess, scenario: { prompts: number; eventWatchers: number }): Promise<Result[]> {
  const jobs = await insertExecutions(store, scenario.prompts)
  const before = processUse(api.pid as number)
  const committed = new Map<string, number>()
  const prompts = await connectAll(jobs.map((job) => `${api.wsUrl}/ws/prompts/${job}`))
  const events = await connectAll(Array.from({ length: scenario.eventWatchers }, () => `${api.wsUrl}/ws/events`))
  const connected = processUse(api.pid as number)
  await writeEvents(ledger, jobs, Math.max(scenario.prompts, LEAST_EVENTS_PER_SECOND), committed)
  const after = processUse(api.pid as number)
  const sockets = scenario.prompts + scenario.eventWatchers
  const shared = {
    api_cpu_percent: (100 * (after.cpuMs - connected.cpuMs)) / (SECONDS * 1_000),
    api_rss_mb: after.rssBytes / 1e6,
    memory_per_socket_kb: (connected.rssBytes - before.rssBytes) / 1e3 / sockets,
  }
  const results = [{ ...measured('prompt streams', prompts, committed, committed.size), ...shared }]
  if (events.length > 0) {
    const expected = committed.size * events.length
    results.push({ ...measured('system events beside them', events, committed, expected), ...shared })
  }
  for (const watcher of [...prompts, ...events]) watcher.close()
  return results.map(rounded)
}

/** Ten thousand clients of the system events stream, of which a hundred measure; a hundred events per second. */
async function watchEvents(api: ApiProcess): Promise<Result[]> {
  const jobs = await insertExecutions(store, 100)
  const before = processUse(api.pid as number)
  const committed = new Map<string, number>()
  const herd = await connectHerd(`${api.wsUrl}/ws/events`, HERD - SAMPLED)
  const watchers = await connectAll(Array.from({ length: SAMPLED }, () => `${api.wsUrl}/ws/events`))
  const connected = processUse(api.pid as number)
  await writeEvents(ledger, jobs, 100, committed)
  const after = processUse(api.pid as number)
  const result = {
    ...measured('one events stream', watchers, committed, committed.size * SAMPLED),
    sockets: HERD,
    api_cpu_percent: (100 * (after.cpuMs - connected.cpuMs)) / (SECONDS * 1_000),
    api_rss_mb: after.rssBytes / 1e6,
    memory_per_socket_kb: (connected.rssBytes - before.rssBytes) / 1e3 / HERD,
  }
  for (const watcher of watchers) watcher.close()
  herd.close()
  return [rounded(result)]
}

/** Writes events of all jobs in turn at a steady rate; records when each commit was acknowledged. */
async function writeEvents(
  target: Ledger,
  jobs: string[],
  perSecond: number,
  committed: Map<string, number>,
): Promise<void> {
  const start = performance.now()
  const writes: Promise<void>[] = []
  for (let written = 0; written < perSecond * SECONDS;) {
    const due = Math.min(perSecond * SECONDS, Math.ceil(((performance.now() - start) / 1_000) * perSecond))
    for (; written < due; written += 1) writes.push(writeOne(target, jobs[written % jobs.length] as string, committed))
    await sleep(5)
  }
  await Promise.all(writes)
  await sleep(1_000)
}

async function writeOne(target: Ledger, jobId: string, committed: Map<string, number>): Promise<void> {
  const payload = {
    provider: 'bench',
    model: 'bench',
    prompt_tokens: 100,
    completion_tokens: 20,
    response: 'x'.repeat(200),
  }
  const draft = {
    type: 'llm_usage',
    agent: 'bench',
    parent: null,
    payload: JSON.stringify(payload),
    at: new Date(),
  } as const
  const { traceId } = await target.append({ jobId, batchId: undefined, path: randomUUID(), events: [draft] })
  committed.set(String(traceId), performance.now())
}

async function insertExecutions(target: Store, count: number): Promise<string[]> {
  const fields = { kind: 'prompt', prompt_name: 'bench', mode: 'single', status: 'running', agents: [] } as const
  const documents = Array.from({ length: count }, (): ExecutionDocument => ({
    ...{ ...fields, agents: [], _id: randomUUID(), inputs: { json: '{}' }, outputs: null, error: null },
    ...{ created_at: new Date(), completed_at: null, usage: {} },
  }))
  await target.executions.insertMany(documents)
  return documents.map(({ _id: id }) => id)
}

async function connectAll(urls: string[]): Promise<Watcher[]> {
  const watchers: Watcher[] = []
  for (let from = 0; from < urls.length; from += 100) {
    const some = urls.slice(from, from + 100).map((url) => new Watcher(url))
    await Promise.all(some.map((watcher) => watcher.opened))
    watchers.push(...some)
  }
  return watchers
}

function measured(scenario: string, watchers: Watcher[], committed: Map<string, number>, expected: number) {
  const delays = watchers
    .flatMap(({ received }) => received)
    .flatMap(({ id, at }) => (committed.has(id) ? [at - (committed.get(id) as number)] : []))
    .sort((a, b) => a - b)
  return {
    scenario,
    sockets: watchers.length,
    events_per_second: committed.size / SECONDS,
    delay_ms_median: delays[Math.floor(delays.length / 2)] ?? NaN,
    delay_ms_p99: delays[Math.floor(delays.length * 0.99)] ?? NaN,
    delivered: delays.length,
    expected,
  }
}

function rounded(result: Result): Result {
  const entries = Object.entries(result).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 10) / 10 : value,
  ])
  return Object.fromEntries(entries) as Result
}
