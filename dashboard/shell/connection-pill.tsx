import { feed } from '../live/feed.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import { useServerNow } from '../live/clock.ts'
import { formatClock } from '../parts/format.ts'

/** Whether what is shown is live: a dead stream never looks busy. */
export function ConnectionPill() {
  const { connection, lastAt } = useStore(feed)
  const { zone } = useStore(preferences)
  const { status, attempt, retryAt } = connection
  useServerNow(status === 'disconnected' ? 1_000 : 0)
  const last = lastAt === undefined ? '' : ` · last data ${formatClock(lastAt, zone)}`
  const text = {
    connecting: 'Connecting',
    open: 'Live',
    closed: 'Offline',
    disconnected: `Reconnecting (attempt ${attempt}${nextTry(retryAt)})${last}`,
  }[status]
  return (
    <span className="pill" data-connection={status} role="status" title={`Live events${last}`}>
      <span className="pill-dot" aria-hidden="true" />
      {text}
    </span>
  )
}

function nextTry(retryAt: number | null): string {
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - Date.now()) / 1_000)
  return seconds > 0 ? `, next in ${seconds} s` : ''
}
