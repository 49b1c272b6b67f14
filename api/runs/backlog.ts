import type { Log } from '../../log.ts'
import { messageOf, TroupeError } from '../../core/errors.ts'
import type { Store } from '../../store/mongodb/connect.ts'

/** Work that was accepted and has not ended, and whether more is taken. */
export interface Backlog {
  /**
   * Counts work that is about to be accepted.
   * @throws TroupeError unavailable while as much waits as may wait
   */
  admit: (executions: number) => void
}

/** How old a count may become; one that takes long is made less often. */
const COUNT_MS = 1_000
const SHARE = 20

/**
 * Bounds what an installation accepts and has not done yet. What waits is counted in the database beside the submissions, which
 * never wait for it; in between, a process adds what it accepts itself. So each process may go over the bound by what the others
 * accept within a second or two.
 * @param max - executions of all kinds that may be unfinished.
 */
export function createBacklog({ store, log, max }: { store: Store; log: Log; max: number }): Backlog {
  let unfinished = 0
  /** Accepted since the last count was begun, which may not have seen it. */
  let since = 0
  let dueAt = 0
  let isCounting = false

  async function count(): Promise<void> {
    const startedAt = performance.now()
    isCounting = true
    since = 0
    try {
      // Never further than it matters.
      const counted = await store.open.countDocuments({}, { limit: max })
      unfinished = counted + since
    } catch (error) {
      // A database that is away refuses by itself.
      log.debug({ error: messageOf(error) }, 'cannot count the backlog')
    } finally {
      isCounting = false
      const now = performance.now()
      dueAt = now + Math.max(COUNT_MS, SHARE * (now - startedAt))
    }
  }

  return {
    admit(executions) {
      if (!isCounting && performance.now() >= dueAt) void count()
      if (unfinished >= max) {
        const sentence = `${max} executions wait or run already, and no more are taken until some have ended: try again later.`
        throw new TroupeError('unavailable', sentence)
      }
      unfinished += executions
      since += executions
    },
  }
}
