import { setTimeout as delay } from 'node:timers/promises'
import { describe, type ManagedProcess } from './managed-process.ts'
import type { Say } from './say.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000
/** After a run of this length, the next restart is without delay again. */
const HEALTHY_MS = 30_000

export interface Supervision {
  /** Stops the supervision, but not the process. */
  end: () => void
}

/**
 * Restarts a process on the same port and data whenever it ends unexpectedly: at once the first time, then with growing
 * delays up to ten seconds.
 */
export function supervise(managed: ManagedProcess, say: Say): Supervision {
  const over = new AbortController()
  void watch(managed, say, over.signal)
  return { end: () => over.abort() }
}

async function watch(managed: ManagedProcess, say: Say, over: AbortSignal): Promise<void> {
  const { name } = managed.spec
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const startedAt = Date.now()
    const how = await managed.ended
    if (over.aborted) return
    if (Date.now() - startedAt > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS
    say(`${name} ended (${describe(how)}); starting it again.`)
    if (how.signal === null) say(indent(managed.logTail(8)))
    while (!over.aborted) {
      await delay(pauseMs, undefined, { signal: over }).catch(() => {})
      if (over.aborted) return
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      const problem = await managed.start().then(
        () => undefined,
        (error: Error) => error,
      )
      if (problem === undefined) break
      if (!over.aborted) say(problem.message)
    }
    say(`${name} is back (pid ${managed.pid}).`)
  }
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
