import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Store } from '../store/mongodb/connect.ts'
import type { TraceDocument } from '../store/documents.ts'

const TRACE_PER_SECOND = 500
const TRACE_SECONDS = 20
const FEED_EVENTS = 10_000
const FEED_SECONDS = 10
const WRITES_PER_SECOND = 10

/** A measured page: long tasks, and delays of key presses. */
const WATCH = `(() => {
  window.longTasks = []
  window.delays = []
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration)))
    .observe({ type: 'longtask' })
  addEventListener('keydown', ({ timeStamp }) => delays.push(performance.now() - timeStamp), { capture: true })
})()`

/** A trace of 100,000 events that grows by 500 events per second while a user reads in its middle. */
export async function liveTrace(page: Page, url: string, store: Store, trace: string) {
  await store.executions.updateOne({ _id: trace }, { $set: { status: 'running', completed_at: null } })
  const parent = await store.traces.findOne({ job_id: trace }, { sort: { _id: 1 } })
  const last = await store.traces.findOne({}, { sort: { _id: -1 } })
  await page.goto(`${url}/executions/${trace}`)
  await page.getByText('100,000 events').waitFor()
  const rows = page.locator('.timeline-rows')
  await rows.evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
  await sleep(2_000)
  const reader = page.locator('.timeline-row').nth(12)
  const row = await reader.getAttribute('id')
  const before = await page.locator(`#${row}`).boundingBox()
  const heapBefore = await heapBytes(page)
  await page.evaluate(WATCH)
  const count = TRACE_PER_SECOND * TRACE_SECONDS
  await writeEvents(store, { job_id: trace, parent_id: parent?._id ?? null, firstId: (last?._id ?? 0) + 1 }, count, {
    seconds: TRACE_SECONDS,
    meanwhile: () => page.keyboard.press('Shift'),
  })
  await page.locator(`[data-events="${100_000 + count}"]`).waitFor({ timeout: 60_000 })
  const after = await page.locator(`#${row}`).boundingBox()
  const watched = await watchedBy(page)
  await store.executions.updateOne({ _id: trace }, { $set: { status: 'completed', completed_at: new Date() } })
  return {
    live_trace_heap_growth_mb: Math.round(((await heapBytes(page)) - heapBefore) / 1e6),
    live_trace_key_delay_p95: watched.delayP95,
    live_trace_longest_task: watched.longest,
    live_trace_row_moved_px: Math.abs((after?.y ?? NaN) - (before?.y ?? NaN)),
  }
}

/** 10,000 events in 10 seconds on the page of live events. */
export async function liveFeed(page: Page, url: string, store: Store) {
  const last = await store.traces.findOne({}, { sort: { _id: -1 } })
  await page.goto(`${url}/live`)
  await page.locator('.pill[data-connection=open]').waitFor()
  await page.evaluate(WATCH)
  await writeEvents(store, { job_id: randomUUID(), parent_id: null, firstId: (last?._id ?? 0) + 1 }, FEED_EVENTS, {
    seconds: FEED_SECONDS,
    meanwhile: async () => {},
  })
  await page.getByText('10,000 since this page was opened').waitFor({ timeout: 60_000 })
  const watched = await watchedBy(page)
  return { feed_10000_long_tasks: watched.sum, feed_10000_longest_task: watched.longest }
}

interface Place {
  job_id: string
  parent_id: number | null
  firstId: number
}

async function writeEvents(
  store: Store,
  { job_id, parent_id, firstId }: Place,
  count: number,
  { seconds, meanwhile }: { seconds: number; meanwhile: () => Promise<unknown> },
): Promise<void> {
  const writes = seconds * WRITES_PER_SECOND
  const size = count / writes
  const begun = performance.now()
  for (let write = 0; write < writes; write += 1) {
    const events = Array.from({ length: size }, (_, index): TraceDocument => {
      const payload = { tool_name: 'live', parameters: {}, result: 'ok', status: 'success', duration_ms: 1 }
      const place = { job_id, parent_id, agent_name: 'seeded', event_type: 'tool_call' as const }
      return { ...place, _id: firstId + write * size + index, payload: JSON.stringify(payload), timestamp: new Date() }
    })
    await store.counters.updateOne({ _id: 'ledger' }, { $max: { last_trace_id: firstId + (write + 1) * size } })
    await store.traces.insertMany(events)
    await meanwhile()
    await sleep(Math.max(0, begun + ((write + 1) * 1_000) / WRITES_PER_SECOND - performance.now()))
  }
}

async function watchedBy(page: Page) {
  const { longTasks, delays } = await page.evaluate<{ longTasks: number[]; delays: number[] }>(
    '({ longTasks, delays })',
  )
  const sorted = delays.sort((one, other) => one - other)
  return {
    sum: Math.round(longTasks.reduce((sum, ms) => sum + ms, 0)),
    longest: Math.round(Math.max(0, ...longTasks)),
    delayP95: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? NaN),
  }
}

/** The heap size of the page after a garbage collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
