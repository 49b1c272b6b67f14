import { availableParallelism } from 'node:os'
import type { Page } from './read-page.ts'
import { createThreadPool, type ThreadPool } from './thread-pool.ts'

/** Typical pages take tens of milliseconds. The deadline allows for a busy machine. */
const DEADLINE_MS = 10_000
/** Ends idle threads, because the parser would be the largest part of an idle worker's memory. */
const IDLE_MS = 30_000
/** Leaves one processor, if there are several, to all other work. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

let pages: ThreadPool<string, Page> | undefined

/**
 * Reads an HTML page in a thread, so that no page can block the process.
 * @throws Error whose message completes the sentence "… cannot be read: …"; the signal's reason.
 */
export function readPageInThread(html: string, signal: AbortSignal): Promise<Page> {
  pages ??= createThreadPool({
    module: new URL('page-thread.ts', import.meta.url),
    maxThreads: MAX_THREADS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
  })
  return pages.run(html, signal)
}
