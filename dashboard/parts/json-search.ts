import { asWritten, isRawJson } from '../../client/index.ts'

/** A value that holds what was looked for. */
export interface Found {
  /** Where it is: `result.items[3].name`. */
  path: string
  /** What is there, cut. */
  text: string
}

/** What was found so far, and how much there is in all. */
export interface SearchProgress {
  found: Found[]
  count: number
  done: boolean
}

const KEPT = 200
const TEXT = 200
const SLICE_MS = 12

/**
 * Looks through a value for a text in its keys and values, in any case. It lets the page work in between: a large value is
 * looked through in slices.
 * @param onProgress - told what was found after each slice
 */
export async function searchJson(
  value: unknown,
  text: string,
  signal: AbortSignal,
  onProgress: (progress: SearchProgress) => void,
): Promise<void> {
  const wanted = text.toLowerCase()
  const found: Found[] = []
  let count = 0
  let sliceEnd = performance.now() + SLICE_MS
  for (const { path, key, leaf } of walk(value)) {
    if (key.toLowerCase().includes(wanted) || leaf?.toLowerCase().includes(wanted)) {
      count += 1
      if (found.length < KEPT) found.push({ path: path(), text: (leaf ?? '…').slice(0, TEXT) })
    }
    if (performance.now() < sliceEnd) continue
    onProgress({ found: [...found], count, done: false })
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return
    sliceEnd = performance.now() + SLICE_MS
  }
  onProgress({ found, count, done: true })
}

interface Step {
  key: string
  /** Undefined for objects and arrays. */
  leaf: string | undefined
  /** Made only for what is found. */
  path: () => string
}

interface Level {
  above: Level | undefined
  key: string | number
  entries: Iterator<[string | number, unknown]>
}

/** Every key with its value, in their order; without recursion, however deep it is. */
function* walk(value: unknown): Generator<Step> {
  let level: Level | undefined = { above: undefined, key: '', entries: entriesOf(value) }
  while (level !== undefined) {
    const next: IteratorResult<[string | number, unknown]> = level.entries.next()
    if (next.done === true) {
      level = level.above
      continue
    }
    const [key, child] = next.value
    const here: Level = level
    const isLeaf = typeof child !== 'object' || child === null || isRawJson(child)
    yield { key: String(key), leaf: isLeaf ? textOf(child) : undefined, path: () => pathOf(here, key) }
    if (!isLeaf) level = { above: level, key, entries: entriesOf(child) }
  }
}

function textOf(leaf: unknown): string {
  return typeof leaf === 'string' ? leaf : JSON.stringify(leaf)
}

function* entriesOf(value: unknown): Generator<[string | number, unknown]> {
  if (typeof value !== 'object' || value === null) return yield ['', value]
  const written = asWritten(value)
  if (Array.isArray(written)) yield* written.entries()
  else for (const key in written) yield [key, (written as Record<string, unknown>)[key]]
}

function pathOf(level: Level, last: string | number): string {
  const keys = [last]
  for (let at: Level | undefined = level; at?.above !== undefined; at = at.above) keys.unshift(at.key)
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? key : `${path}.${key}`
  }, '')
}
