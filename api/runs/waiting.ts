import pTimeout from 'p-timeout'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution } from '../reads/executions.ts'

type Waiting = Pick<Dependencies, 'store' | 'feed'>

const IDS_AT_ONCE = 1_000

/**
 * Waits until an execution has its final status. Reads MongoDB at the start, when the feed announces the end, and after
 * an interruption of the feed.
 * @returns undefined when `signal` fired first.
 * @throws TroupeError not_found
 */
export async function waitForEnd(
  { store, feed }: Waiting,
  id: string,
  signal: AbortSignal,
): Promise<ExecutionDocument | undefined> {
  let look = true
  let wake = (): void => undefined
  const lookAgain = (): void => {
    look = true
    wake()
  }
  const unsubscribe = feed.subscribe(
    { job: id },
    { onState: ({ status }) => status !== undefined && status !== 'running' && lookAgain(), onGap: lookAgain },
  )
  signal.addEventListener('abort', lookAgain)
  try {
    await waitUntilOpen(feed, signal)
    while (!signal.aborted) {
      look = false
      const execution = await findExecution(store, id)
      if (execution.status !== 'running') return execution
      if (!look) await new Promise<void>((resolve) => (wake = resolve))
    }
    return undefined
  } finally {
    signal.removeEventListener('abort', lookAgain)
    unsubscribe()
  }
}

/** Waits until all of these tasks of a batch have ended; false when `signal` fired first. */
export async function waitForTasks(
  { store, feed }: Waiting,
  batchId: string,
  ids: string[],
  signal: AbortSignal,
): Promise<boolean> {
  const left = new Set(ids)
  let look = true
  let wake = (): void => undefined
  const lookAgain = (): void => {
    look = true
    wake()
  }
  const ended = (id: string): void => {
    left.delete(id)
    if (left.size === 0) wake()
  }
  const unsubscribes = ids.map((id) =>
    feed.subscribe(
      { job: id },
      { onState: ({ status }) => status !== undefined && status !== 'running' && ended(id), onGap: lookAgain },
    ),
  )
  signal.addEventListener('abort', lookAgain)
  try {
    await waitUntilOpen(feed, signal)
    while (left.size > 0 && !signal.aborted) {
      if (look) {
        look = false
        for (const id of await endedAmong(store, batchId, [...left])) ended(id)
      } else await new Promise<void>((resolve) => (wake = resolve))
    }
    return left.size === 0
  } finally {
    signal.removeEventListener('abort', lookAgain)
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}

async function endedAmong(store: Waiting['store'], batchId: string, ids: string[]): Promise<string[]> {
  const ended: string[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const portion = ids.slice(from, from + IDS_AT_ONCE)
    const filter = { _id: { $in: portion }, batch_id: batchId, status: { $ne: 'running' as const } }
    const found = await store.executions.find(filter, { projection: { _id: 1 } }).toArray()
    ended.push(...found.map(({ _id }) => _id))
  }
  return ended
}

/**
 * Resolves when the feed is open, or `signal` has fired. The feed does not report earlier changes, so the caller must
 * read the state only afterwards.
 */
async function waitUntilOpen(feed: Waiting['feed'], signal: AbortSignal): Promise<void> {
  await pTimeout(feed.ready(), { milliseconds: Infinity, signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
