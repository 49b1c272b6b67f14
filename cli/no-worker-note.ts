import type { Context } from './context.ts'

const LOOK_EVERY_MS = 10_000

/** Looks for a reason while an execution has no events. */
export interface SilenceWatch {
  /** Must be called for each event. */
  heard: () => void
  stop: () => void
}

/** Prints a note if no worker hosts an agent, because a waiting execution would look stuck. Resolves with whether it did. */
export async function noWorkerNote({ troupe, terminal, signal }: Context, agent: string): Promise<boolean> {
  for await (const { name, status, last_seen } of troupe.agents.list({}, { signal })) {
    if (name !== agent) continue
    if (status === 'inactive')
      terminal.note(`No worker hosts ${agent} now (last seen at ${last_seen}); the execution continues when one does.`)
    return status === 'inactive'
  }
  return false
}

/** Checks during silence whether a worker is missing; prints at most one note per silence. */
export function watchSilence(context: Context, agent: string): SilenceWatch {
  let isExplained = false
  const look = (): void => {
    if (isExplained) return
    // The note is optional, so errors are ignored.
    void noWorkerNote(context, agent).then(
      (told) => (isExplained = told),
      () => undefined,
    )
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    heard: () => {
      isExplained = false
      timer.refresh()
    },
    stop: () => clearInterval(timer),
  }
}
