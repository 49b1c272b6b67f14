import type { ConnectionState, SystemEvent } from '../../client/index.ts'
import { queryClient } from '../api/queries.ts'
import { noteFailure, troupe } from '../api/session.ts'
import { serverNow } from './clock.ts'
import { Store } from './store.ts'

/** Events that are kept to be looked at. */
export const RING_SIZE = 5_000
const RESTART_MS = 3_000
const CHANGED_MS = 1_000
const SHOW_EVERY_MS = 200
const CAUGHT_UP_MS = 15_000

/** The system events since the page was opened. */
export interface FeedState {
  connection: ConnectionState
  /** Events that came in all. */
  count: number
  /** When the last message came, in milliseconds since 1970; undefined before the first. */
  lastAt: number | undefined
  /** Events that had happened while the connection was lost; 0 again some seconds after it is back. */
  caughtUp: number
}

/** The newest events, oldest first. It is changed in place; `feed` says when. */
export const ring: SystemEvent[] = []

export const feed = new Store<FeedState>({
  connection: { status: 'connecting', since: Date.now(), attempt: 0, retryAt: null },
  count: 0,
  lastAt: undefined,
  caughtUp: 0,
})

let pending = 0
let frame: number | undefined
let changed: number | undefined
/** A connection that was lost and is there again: since when, by the server's clock, and how much had happened before. */
let back: { atMs: number; missed: number } | undefined

/** Follows the system events until `signal` fires; goes on behind the last one when the connection was lost. */
export async function followFeed(signal: AbortSignal): Promise<void> {
  let after: number | undefined
  while (!signal.aborted) {
    try {
      for await (const event of troupe().events({ after, signal, onConnection: noteConnection })) {
        after = event.id
        take(event)
      }
    } catch (error) {
      if (signal.aborted) return
      noteFailure(error)
      const now = Date.now()
      feed.update({ connection: { status: 'disconnected', since: now, attempt: 1, retryAt: now + RESTART_MS } })
    }
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS))
  }
}

function noteConnection(connection: ConnectionState): void {
  if (connection.status === 'closed') return
  const isBack = connection.status === 'open' && feed.state.connection.status === 'disconnected'
  feed.update({ connection })
  if (!isBack) return
  catchUp()
  // What was not told meanwhile is asked for.
  void queryClient.invalidateQueries()
}

/** From now on what happened meanwhile is counted, and told for a while. */
function catchUp(): void {
  const own = { atMs: serverNow(), missed: 0 }
  back = own
  setTimeout(() => {
    if (back !== own) return
    back = undefined
    feed.update({ caughtUp: 0 })
  }, CAUGHT_UP_MS)
}

/** Gathers what comes within a moment: the page is drawn once for all of it, or thousands a second would leave no time. */
function take(event: SystemEvent): void {
  ring.push(event)
  if (ring.length > 2 * RING_SIZE) ring.splice(0, ring.length - RING_SIZE)
  pending += 1
  if (back !== undefined && Date.parse(event.timestamp) < back.atMs) back.missed += 1
  frame ??= window.setTimeout(show, document.hidden ? 1_000 : SHOW_EVERY_MS)
}

function show(): void {
  frame = undefined
  feed.update({ count: feed.state.count + pending, lastAt: Date.now(), caughtUp: back?.missed ?? 0 })
  pending = 0
  changed ??= window.setTimeout(refresh, CHANGED_MS)
}

/** Lists are asked for again when something has happened, at most once a second. */
function refresh(): void {
  changed = undefined
  void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  void queryClient.invalidateQueries({ queryKey: ['head'] })
}
