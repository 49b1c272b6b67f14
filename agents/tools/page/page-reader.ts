import { availableParallelism } from 'node:os'
import type { Page } from './read-page.ts'
import { createThreadPool, type ThreadPool } from './thread-pool.ts'

/** A page that people wrote takes tens of milliseconds; this is for a machine that has much else to do. */
const DEADLINE_MS = 10_000
/** The parser is the largest thing that an idle worker would keep. */
const IDLE_MS = 30_000
/** Pages may never take all processors: what is left runs everything else. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

let pages: ThreadPool<string, Page> | undefined

/**
 * Reads a page of HTML in a thread: whatever it holds, the process goes on with its other work.
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
