import { durationText } from '../../../client/index.ts'
import type { Schema } from '../../../client/index.ts'
import { useAbout, useTraceEvent } from '../../api/queries.ts'
import { useServerNow } from '../../live/clock.ts'
import type { TraceState } from '../../live/trace-store.ts'
import { formatCount } from '../../parts/format.ts'
import { NoWorker } from '../../parts/no-worker.tsx'
import { CoolingDown } from '../limits/cooling-down.tsx'
import { awaitedCalls } from '../../waterfall/awaited-calls.ts'
import { wordOfType } from '../../waterfall/event-words.ts'

const QUIET_MS = 5_000

/** What has to be said beside a timeline: that it is being read, cut off, quiet, or not kept at all. */
export function TraceNote({ trace, job }: { trace: TraceState; job: Schema<'Job'> }) {
  const about = useAbout()
  const { phase, error, connection, table } = trace
  const running = job.completed_at === null
  const now = useServerNow(running ? 1_000 : 0)
  const quietMs = table.size === 0 ? 0 : now - (table.originMs + table.lastMs)
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
  if (!running) return null
  // It stands there for as long as it runs: a note that came and went would move the rows that somebody reads.
  return (
    <>
      <NoWorker agents={job.agents} />
      {table.size > 0 && <LastEvent trace={trace} quietMs={quietMs} />}
    </>
  )
}

/** There is no event when a call begins, only when it has ended: what is under way is what a model asked for and did not get. */
function LastEvent({ trace: { table, live }, quietMs }: { trace: TraceState; quietMs: number }) {
  const last = table.size - 1
  const what = `${wordOfType(table.type[last] ?? '')} ${table.name[last] ?? ''}`.trim()
  const isQuiet = quietMs > QUIET_MS && live.length === 0
  const asked = isQuiet ? table.type.lastIndexOf('llm_usage') : -1
  const { data } = useTraceEvent(asked === -1 ? undefined : table.id[asked])
  const awaited = data === undefined ? [] : awaitedCalls(table, asked, data.payload)
  if (!isQuiet) return <p className="note note-line note-calm">Last event: {what}</p>
  if (awaited.length > 0) {
    return (
      <p className="note note-line">
        Waits for {awaited.join(', ')}, which the model asked for: no event for {durationText(quietMs)}.
      </p>
    )
  }
  return (
    <>
      <p className="note note-line">
        No event for {durationText(quietMs)} (the last: {what}). It computes, calls a model or a tool, or waits until a
        set time.
      </p>
      <CoolingDown />
    </>
  )
}
