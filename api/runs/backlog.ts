import type { Log } from '../../log.ts'
import { messageOf, TroupeError } from '../../core/errors.ts'
import type { Store } from '../../store/mongodb/connect.ts'

/** Counts accepted work that has not ended and decides whether to accept more. */
export interface Backlog {
  /**
   * Counts executions that are about to be accepted.
   * @throws TroupeError unavailable while the backlog is full
   */
  admit: (executions: number) => void
}

/** Maximum age of a count; a slow count is repeated less often. */
const COUNT_MS = 1_000
const SHARE = 20

/**
 * Limits the unfinished executions of an installation. A background query counts them in the database, so submissions never
 * wait for it; between two counts, a process adds what it accepts itself. The limit can therefore be exceeded by what the other
 * processes accept within a second or two.
 * @param max - maximum number of unfinished executions of all kinds.
 */
export function createBacklog({ store, log, max }: { store: Store; log: Log; max: number }): Backlog {
  let unfinished = 0
  /** Accepted since the start of the last count, which may not include them. */
  let since = 0
  let dueAt = 0
  let isCounting = false

  async function count(): Promise<void> {
    const startedAt = performance.now()
    isCounting = true
    since = 0
    try {
      // A larger count makes no difference.
      const counted = await store.open.countDocuments({}, { limit: max })
      unfinished = counted + since
    } catch (error) {
      // While the database cannot be reached, submissions fail anyway.
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
        const sentence = `The service is full: ${max} executions are waiting or running. Try again when some of them have ended.`
        throw new TroupeError('unavailable', sentence)
      }
      unfinished += executions
      since += executions
    },
  }
}
