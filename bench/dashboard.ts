import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { loadConfig } from '../config.ts'
import { buildDashboard } from '../dashboard/build/build-dashboard.ts'
import { connectStore } from '../store/mongodb/connect.ts'
import { createS3Blobs, s3Options } from '../store/objects/s3.ts'
import { seedTrace } from '../test/dashboard/seed-trace.ts'
import { startApi } from '../test/support/processes.ts'
import { liveFeed, liveTrace } from './dashboard-live.ts'
import { fileLines, largeFile, largeSpan, longList, paints } from './dashboard-pages.ts'
import { savedResults } from './dashboard-results.ts'
import { seedBatch, seedLargeEvent } from './dashboard-seed.ts'
import { seed } from './seed.ts'
import { isolated, startStack } from '../test/support/stack.ts'

/** The dashboard with large data: medians of five repetitions, in milliseconds unless the name says otherwise. */
const RUNS = 5
const EVENTS = 100_000
const TASKS = 50_000
/** Number of seeded events, which come with 100,000 executions. */
const EVENTS_BESIDE = 1_000_000
const SCROLLS = 60
const PATHS = [
  '/',
  '/executions',
  '/batches',
  '/batches/bench',
  '/batches/new',
  '/agents',
  '/playground',
  '/live',
  '/service',
]
const LOOP = `(() => { const begun = performance.now(); let sum = 0
  for (let index = 0; index < 5e7; index += 1) sum += index % 7
  return performance.now() - begun + (sum < 0 ? 1 : 0) })()`

const stack = await startStack()
const env = isolated(stack.env)
const store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'bench' })
await buildDashboard((sentence) => process.stderr.write(`${sentence}\n`))
await seed(store, EVENTS_BESIDE)
const blobs = createS3Blobs(s3Options(loadConfig(env)))
await seedBatch(store, blobs, TASKS)
blobs.close()
const trace = await seedTrace(store, EVENTS, EVENTS_BESIDE + 1)
const small = await seedTrace(store, 20, EVENTS_BESIDE + EVENTS + 1)
const large = await seedLargeEvent(store, small)
const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
const file = join(folder, 'rows.csv')
await writeFile(file, fileLines())
const api = await startApi({ env })
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(api.url)
  await page.getByText('Ever submitted').waitFor()
  const figures = {
    // Measures the current speed of the machine with a fixed loop.
    loop: await medianOf(() => page.evaluate<number>(LOOP)),
    open_100000_events: await medianOf(() => openIn(page, `/executions/${trace}`, '.timeline-row')),
    open_50000_tasks: await medianOf(() => openIn(page, '/batches/bench', '.grid canvas')),
    ...(await scrolled(page)),
    ...(await longList(page, api.url)),
    ...(await largeSpan(page, api.url, small, large)),
    ...(await largeFile(page, api.url, file)),
    ...(await savedResults(page, api.url, TASKS)),
    ...(await paints(browser, api.url, PATHS)),
    ...(await liveFeed(page, api.url, store)),
    ...(await liveTrace(page, api.url, store, trace)),
  }
  console.table(figures)
  await writeFile('bench-dashboard.json', JSON.stringify(figures, null, 2))
} finally {
  await browser.close()
  await api.stop()
  await rm(folder, { recursive: true })
  await store.db.dropDatabase()
  await store.close()
  await stack.stop()
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let run = 0; run < RUNS; run += 1) values.push(await measure())
  return Math.round(values.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? NaN)
}

/** Time from the click on a link of the page until the target is visible. */
async function openIn(page: Page, path: string, selector: string): Promise<number> {
  await page.goto(api.url)
  await page.getByText('Ever submitted').waitFor()
  return page.evaluate<number>(`new Promise((resolve) => {
    const begun = performance.now()
    const look = () => document.querySelector(${JSON.stringify(selector)}) === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now() - begun))
    history.pushState({}, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate'))
    look()
  })`)
}

/** Frame times while scrolling through the whole trace, and the size of the page afterwards. */
async function scrolled(page: Page) {
  await page.goto(`${api.url}/executions/${trace}`)
  await page.getByText('100,000 events').waitFor()
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const element = document.querySelector('.timeline-rows')
    const frames = []
    let before = performance.now()
    const step = (now) => {
      frames.push(now - before)
      before = now
      element.scrollTop += element.scrollHeight / ${SCROLLS}
      if (frames.length < ${SCROLLS}) requestAnimationFrame(step)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(step)
  })`)
  const sorted = frames.sort((one, other) => one - other)
  return {
    scroll_frame_p50: Math.round(sorted[Math.floor(sorted.length * 0.5)] ?? NaN),
    scroll_frame_p95: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? NaN),
    elements_in_page: await page.locator('*').count(),
  }
}
