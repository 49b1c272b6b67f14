import type { Context } from './context.ts'

const LOOK_EVERY_MS = 10_000

/** Looks for the reason while nothing is heard of an execution. */
export interface SilenceWatch {
  /** To be told of each event. */
  heard: () => void
  stop: () => void
}

/** Tells a person that no worker hosts an agent at the moment: what waits for one would look stuck. Resolves with whether it did. */
export async function noWorkerNote({ troupe, terminal, signal }: Context, agent: string): Promise<boolean> {
  for await (const { name, status, last_seen } of troupe.agents.list({}, { signal })) {
    if (name !== agent) continue
    if (status === 'inactive')
      terminal.note(`No worker hosts ${agent} now (the last was seen at ${last_seen}); it goes on when one does.`)
    return status === 'inactive'
  }
  return false
}

/** Looks whether a worker is missing while nothing comes, and says it once for each silence. */
export function watchSilence(context: Context, agent: string): SilenceWatch {
  let isExplained = false
  const look = (): void => {
    if (isExplained) return
    // A remark beside what is followed: when it cannot be had nothing is amiss.
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
