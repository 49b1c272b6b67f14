import { deepStrictEqual } from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { taskInputs, taskOutputs } from './dashboard-seed.ts'

const LOOK_EVERY_MS = 50

/** Saves all results of a batch as a file: duration and peak memory of the page. */
export async function savedResults(page: Page, url: string, tasks: number) {
  await page.goto(`${url}/batches/bench`)
  await page.locator(`[data-recorded="${tasks}"]`).waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  let most = 0
  let saved = false
  const watch = async (): Promise<void> => {
    while (!saved) {
      most = Math.max(most, (await session.send('Runtime.getHeapUsage')).usedSize)
      await sleep(LOOK_EVERY_MS)
    }
  }
  const watching = watch()
  await page.getByText('Results', { exact: true }).click()
  const begun = performance.now()
  const download = page.waitForEvent('download', { timeout: 120_000 })
  await page.getByRole('button', { name: 'Results as JSON lines' }).click()
  const path = await (await download).path()
  const savedMs = performance.now() - begun
  saved = true
  await watching
  await session.detach()
  await expectWhole(path, tasks)
  return { results_50000_saved: Math.round(savedMs), results_50000_heap_mb: Math.round(most / 1e6) }
}

/** Checks that every value is the stored one. @throws AssertionError */
async function expectWhole(path: string, tasks: number): Promise<void> {
  let index = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { inputs, status, response, index: place } = JSON.parse(line)
    const failed = index % 100 === 0
    const end = failed ? 'error' : 'success'
    const result = failed ? { error: 'seeded' } : taskOutputs(index)
    const wanted = { index, inputs: taskInputs(index), end, result }
    deepStrictEqual({ index: place, inputs, end: status, result: response.result }, wanted)
    index += 1
  }
  deepStrictEqual(index, tasks)
}
