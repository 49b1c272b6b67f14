import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { connectStore } from '../store/mongodb/connect.ts'
import { startApi, startWorker } from '../test/support/processes.ts'
import { eventually, request, TEST_AGENTS, type Answer } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { MemoryWatch } from './memory-watch.ts'
import { drive, timesOf } from './statistics.ts'

/**
 * Overload: `node bench/overload.ts --seconds 600 --times 10 --backlog 5000`. Health must respond, memory must stay
 * bounded, accepted work must complete, and the rest must be rejected with 503 and Retry-After.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    times: { type: 'string', default: '10' },
    backlog: { type: 'string', default: '1000' },
  },
})
const [seconds, times, backlog] = [Number(values.seconds), Number(values.times), Number(values.backlog)]
const WARM_UP = 300
const LANES = 16
const TICK_MS = 50
/** Maximum concurrent requests, so that the load generator on the same machine is not the bottleneck. */
const MAX_UNDER_WAY = 1_000
const DRAIN_MS = 600_000

const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
const stack = await startStack()
const env = {
  ...stack.env,
  AGENTS_DIR: TEST_AGENTS,
  TEST_FOLDER: folder,
  MAX_BACKLOG: String(backlog),
  LOG_LEVEL: 'error',
}
const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
const store = connectStore({ uri: stack.env.MONGODB_URI ?? '', database: 'troupe', appName: 'bench' })
try {
  const { perSecond } = await drive(WARM_UP, LANES, () =>
    request(api.url, 'POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} }),
  )
  const watch = new MemoryWatch(() => ({ api: api.pid, worker: worker.pid }))
  const quiet = watch.take()
  const health = watchHealth()
  const { accepted, refused, others, submitting } = await overload(times * perSecond)
  const busy = watch.take()
  const healthTimes = timesOf(await health.stop())
  const drainedAt = performance.now()
  const unfinished = { status: 'running' } as const
  await eventually(
    () => store.executions.countDocuments(unfinished),
    (left) => left === 0,
    DRAIN_MS,
  )
  const drainSeconds = (performance.now() - drainedAt) / 1_000
  watch.stop()
  const completed = await store.executions.countDocuments({ kind: 'prompt', status: 'completed' })
  console.table({
    'the service does (jobs a second)': Math.round(perSecond),
    'offered (a second)': Math.round(times * perSecond),
    accepted: accepted,
    'of which completed': completed,
    'refused with 503 and Retry-After': refused,
    'other responses': others,
    'response to a submission, p50 (ms)': Math.round(submitting.p50),
    'response to a submission, p99 (ms)': Math.round(submitting.p99),
    'health, p99 (ms)': Math.round(healthTimes.p99),
    'health, slowest (ms)': Math.round(healthTimes.max),
    'load of the machine (1 and 15 min)': `${loadavg()[0]?.toFixed(1)}, ${loadavg()[2]?.toFixed(1)}`,
    'API, before and most (MB)': `${Math.round(quiet.api?.rss ?? 0)}, ${Math.round(busy.api?.rss ?? 0)}`,
    'worker, before and most (MB)': `${Math.round(quiet.worker?.rss ?? 0)}, ${Math.round(busy.worker?.rss ?? 0)}`,
    'the rest was done after (s)': Math.round(drainSeconds),
  })
  if (completed !== accepted || others > 0 || healthTimes.max > 1_000) process.exitCode = 1
} finally {
  await Promise.all([api.stop(), worker.stop()])
  await store.close()
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Submits prompts at a fixed rate, regardless of the responses. */
async function overload(perSecond: number) {
  const counts = { accepted: 0, refused: 0, others: 0 }
  const took: number[] = []
  const underWay = new Set<Promise<void>>()
  const until = performance.now() + seconds * 1_000
  for (let due = 0; performance.now() < until; due += (perSecond * TICK_MS) / 1_000) {
    for (; due >= 1; due -= 1) {
      if (underWay.size >= MAX_UNDER_WAY) continue
      const startedAt = performance.now()
      const one = submit().then((answer) => {
        took.push(performance.now() - startedAt)
        counts[outcomeOf(answer)] += 1
        underWay.delete(one)
      })
      underWay.add(one)
    }
    await sleep(TICK_MS)
  }
  await Promise.all(underWay)
  return { ...counts, submitting: timesOf(took) }
}

function submit(): Promise<Answer | undefined> {
  return request(api.url, 'POST', '/api/prompts', { prompt_name: 'instant', inputs: {} }).catch(() => undefined)
}

function outcomeOf(answer: Answer | undefined): 'accepted' | 'refused' | 'others' {
  if (answer?.status === 200) return 'accepted'
  return answer?.status === 503 && Number(answer.headers.get('retry-after')) > 0 ? 'refused' : 'others'
}

/** Requests health from a separate thread, so that delays in the load generator are not measured. */
function watchHealth(): { stop: () => Promise<number[]> } {
  const watcher = new Worker(new URL('health-watch.ts', import.meta.url), { workerData: { url: api.url } })
  return {
    stop: async () => {
      watcher.postMessage('stop')
      const [took] = (await once(watcher, 'message')) as [number[]]
      return took
    },
  }
}
