import type { Browser, Page } from 'playwright-core'
import { heapBytes } from './dashboard-live.ts'

const LIST_ROWS = 10_000
const FILE_ROWS = 100_000
const FILE_LINE_CHARACTERS = 480

const PAINTS = `new Promise((resolve) => {
  let lcp = 0, cls = 0
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { lcp = entry.startTime }))
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { cls += entry.hadRecentInput ? 0 : entry.value }))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve({
    fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, lcp, cls,
  }), 2_500)
})`

/** The slowest of all pages, each opened with an empty cache: first paint, largest paint, layout shift. */
export async function paints(browser: Browser, url: string, paths: string[]) {
  const seen: { fcp: number; lcp: number; cls: number }[] = []
  for (const path of paths) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto(url + path)
    const painted = await page.evaluate<(typeof seen)[number]>(PAINTS)
    process.stderr.write(`${path.slice(0, 40)} ${JSON.stringify(painted)}\n`)
    seen.push(painted)
    await context.close()
  }
  return {
    slowest_fcp: Math.round(Math.max(...seen.map(({ fcp }) => fcp))),
    slowest_lcp: Math.round(Math.max(...seen.map(({ lcp }) => lcp))),
    largest_cls_thousandths: Math.round(Math.max(...seen.map(({ cls }) => cls)) * 1_000),
  }
}

/** The list of executions: scrolls to the 10,000th, then changes the filter. */
export async function longList(page: Page, url: string) {
  await page.goto(`${url}/executions`)
  await page.locator('.row a').first().waitFor()
  const begun = performance.now()
  await page.evaluate(`new Promise((resolve) => {
    const down = () => {
      const rows = document.querySelector('.rows')
      rows.scrollTop = rows.scrollHeight
      const last = Math.max(...[...document.querySelectorAll('.row[aria-rowindex]')].map((row) => Number(row.ariaRowIndex)))
      if (last >= ${LIST_ROWS}) resolve(last)
      else setTimeout(down, 16)
    }
    down()
  })`)
  const scrolledMs = performance.now() - begun
  const heap = await heapBytes(page)
  const filterMs = await page.evaluate<number>(`new Promise((resolve) => {
    const begun = performance.now()
    const old = document.querySelector('.row a').textContent
    ;[...document.querySelectorAll('.presets button')].find((button) => button.textContent === 'Chats').click()
    const look = () => {
      const first = document.querySelector('.row a')
      if (first !== null && first.textContent !== old && document.querySelector('.cell-kind:not([role=columnheader])')?.textContent === 'chat')
        requestAnimationFrame(() => resolve(performance.now() - begun))
      else requestAnimationFrame(look)
    }
    look()
  })`)
  return {
    list_to_row_10000: Math.round(scrolledMs),
    list_heap_mb: Math.round(heap / 1e6),
    list_filter_change: Math.round(filterMs),
  }
}

/** A CSV file of 100,000 lines, about 50 MB: time until its tasks are shown, and long tasks of the page. */
export async function largeFile(page: Page, url: string, file: string) {
  await page.goto(`${url}/batches/new`)
  await page.locator('input[type=file]').waitFor()
  await page.evaluate(`(() => { window.longTasks = []
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration)))
      .observe({ type: 'longtask' }) })()`)
  const begun = performance.now()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('100,000 tasks from').waitFor({ timeout: 120_000 })
  const shownMs = performance.now() - begun
  const longest = await page.evaluate<number>('Math.max(0, ...longTasks)')
  return { csv_100000_shown: Math.round(shownMs), csv_longest_task: Math.round(longest) }
}

/** The lines of such a file. */
export function* fileLines(): Generator<string> {
  yield 'row,amount,text\n'
  const text = 'x'.repeat(FILE_LINE_CHARACTERS)
  for (let row = 0; row < FILE_ROWS; row += 1) yield `${row},${row}.5,"${text}"\n`
}

/** An event with 15 MB of JSON: time until its first rows are visible, and until its last key is found. */
export async function largeSpan(page: Page, url: string, job: string, event: number) {
  await page.goto(`${url}/executions/${job}`)
  await page.locator('.timeline-row').first().waitFor()
  await page.evaluate(`(() => { window.longTasks = []
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration)))
      .observe({ type: 'longtask' }) })()`)
  const begun = performance.now()
  await page.locator(`#event-${event}`).click()
  await page.locator('.drawer .json-row').first().waitFor({ timeout: 60_000 })
  const openMs = performance.now() - begun
  const search = performance.now()
  await page.locator('.drawer').getByLabel('Search in result').fill('the-last-key')
  await page.locator('.drawer .json-found').first().waitFor({ timeout: 60_000 })
  const searchMs = performance.now() - search
  const longest = await page.evaluate<number>('Math.max(0, ...longTasks)')
  return {
    span_15mb_first_rows: Math.round(openMs),
    span_15mb_last_key_found: Math.round(searchMs),
    span_15mb_longest_task: Math.round(longest),
  }
}
