import pLimit from 'p-limit'
import type { Blobs } from './blobs.ts'

/** Number of prefixes processed concurrently. */
const AT_ONCE = 8

/**
 * Removes all objects under some prefixes.
 * @returns the number of removed objects.
 */
export async function removeObjectsUnder(blobs: Blobs, prefixes: string[]): Promise<number> {
  const limit = pLimit(AT_ONCE)
  const counts = await Promise.all(prefixes.map((prefix) => limit(() => removeUnder(blobs, prefix))))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function removeUnder(blobs: Blobs, prefix: string): Promise<number> {
  for (let removed = 0, after = prefix; ;) {
    const page = await blobs.list(prefix, after)
    const last = page.at(-1)
    if (last === undefined) return removed
    await blobs.remove(page.map(({ key }) => key))
    removed += page.length
    after = last.key
  }
}
