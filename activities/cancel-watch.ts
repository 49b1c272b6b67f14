import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/connect.ts'

/** Tells running activities that their execution was canceled, without waiting for a heartbeat's answer. */
export interface CancelWatch {
  /** An AbortSignal for an execution, until it is released. */
  watch: (jobId: string) => { signal: AbortSignal; release: () => void }
}

const POLL_MS = 250

/**
 * While activities run, one query for all of them every quarter of a second asks which of their executions were canceled.
 * It reads by `_id`, so its cost follows what this worker runs, never what is stored; an idle worker asks nothing.
 */
export function createCancelWatch(store: Store, log: Log): CancelWatch {
  const watched = new Map<string, { controller: AbortController; holders: number }>()
  let timer: NodeJS.Timeout | undefined

  const poll = async (): Promise<void> => {
    try {
      const filter = { _id: { $in: [...watched.keys()] }, status: 'canceled' as const }
      for await (const { _id } of store.executions.find(filter, { projection: { _id: 1 } })) {
        watched.get(_id)?.controller.abort(new Error('The execution was canceled.'))
      }
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'could not look for cancels')
    }
    timer = watched.size > 0 ? setTimeout(poll, POLL_MS) : undefined
  }

  return {
    watch(jobId) {
      const entry = watched.get(jobId) ?? { controller: new AbortController(), holders: 0 }
      entry.holders += 1
      watched.set(jobId, entry)
      timer ??= setTimeout(poll, POLL_MS)
      const release = (): void => {
        entry.holders -= 1
        if (entry.holders === 0) watched.delete(jobId)
      }
      return { signal: entry.controller.signal, release }
    },
  }
}
