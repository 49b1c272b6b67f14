import type { Schema } from '../../../client/index.ts'
import { useAbout } from '../../api/queries.ts'
import { useServerNow } from '../../live/clock.ts'
import type { TraceState } from '../../live/trace-store.ts'
import { formatCount } from '../../parts/format.ts'

const QUIET_MS = 5_000

/** What has to be said beside a timeline: that it is being read, cut off, quiet, or not kept at all. */
export function TraceNote({ trace, job }: { trace: TraceState; job: Schema<'Job'> }) {
  const about = useAbout()
  const { phase, error, connection, lastAt, table } = trace
  const running = job.completed_at === null
  useServerNow(running ? 1_000 : 0)
  const quietMs = lastAt === undefined ? 0 : Date.now() - lastAt
  if (about.data?.tracing === 'disabled') {
    return <p className="note">This service keeps no trace events (TRACING=disabled); everything else is complete.</p>
  }
  if (error !== undefined)
    return (
      <p className="note note-bad" role="status">
        The events could not be read: {error.message} Trying again.
      </p>
    )
  if (phase === 'loading')
    return (
      <p className="note" role="status">
        Reading the events: {formatCount(table.size)} so far …
      </p>
    )
  if (connection?.status === 'disconnected') {
    return (
      <p className="note note-bad" role="status">
        Reconnecting (attempt {connection.attempt}); what happens meanwhile will be added.
      </p>
    )
  }
  if (running && quietMs > QUIET_MS) return <p className="note">No event for {Math.floor(quietMs / 1_000)} s.</p>
  return null
}
