import { useAbout } from '../api/queries.ts'
import { feed } from '../live/feed.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import { useServerNow } from '../live/clock.ts'
import { formatClock, formatCount } from '../parts/format.ts'

/** Whether what is shown is live: a dead stream never looks busy. */
export function ConnectionPill() {
  const { connection, lastAt, caughtUp } = useStore(feed)
  const { zone } = useStore(preferences)
  const about = useAbout()
  const { attempt, retryAt } = connection
  // The stream is opened once the service has answered: until then nothing is under way.
  const isAway = connection.status === 'connecting' && about.data === undefined && about.failureReason !== null
  const status = isAway ? 'closed' : connection.status
  useServerNow(status === 'disconnected' ? 1_000 : 0)
  const last = lastAt === undefined ? '' : ` · last data ${formatClock(lastAt, zone)}`
  const text = {
    connecting: 'Connecting',
    open: 'Live',
    closed: 'Offline',
    disconnected: 'Reconnecting',
  }[status]
  return (
    <span className="pill" data-connection={status} role="status" title={`Live events${last}`}>
      <span className="pill-dot" aria-hidden="true" />
      {text}
      {status === 'open' && caughtUp > 0 && (
        <span className="pill-more">
          · caught up: {formatCount(caughtUp)} {caughtUp === 1 ? 'event' : 'events'}
        </span>
      )}
      {status === 'disconnected' && (
        <span className="pill-more">
          (attempt {attempt}
          {nextTry(retryAt)}){last}
        </span>
      )}
    </span>
  )
}

function nextTry(retryAt: number | null): string {
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - Date.now()) / 1_000)
  return seconds > 0 ? `, next in ${seconds} s` : ''
}
