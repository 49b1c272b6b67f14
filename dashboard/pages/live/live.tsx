import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { SystemEvent } from '../../../client/index.ts'
import { serverNow, useServerNow } from '../../live/clock.ts'
import { feed, ring, RING_SIZE } from '../../live/feed.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatClock, formatCount, shortId } from '../../parts/format.ts'
import { Empty, Panel } from '../../parts/panel.tsx'
import { eventsPerSecond, fits, groupByExecution, type ExecutionEvents } from './live-events.ts'
import { MovingRows } from './moving-rows.tsx'

/** Every event of the service as it happens, the newest first; or what came of each execution. */
export function Live() {
  const { count } = useStore(feed)
  const { find = '', group = false } = useSearch({ from: '/live' })
  const [pausedAt, setPausedAt] = useState<number>()
  const [kept, setKept] = useState<SystemEvent[]>([])
  const wanted = find.toLowerCase()
  const source = useMemo(
    () => (pausedAt === undefined ? ring.slice(-RING_SIZE) : kept),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the ring is changed in place; its count says when
    [count, pausedAt, kept],
  )
  const events = useMemo(
    () => (wanted === '' ? source : source.filter((event) => fits(event, wanted))),
    [source, wanted],
  )
  function pause(): void {
    setKept(ring.slice(-RING_SIZE))
    setPausedAt(pausedAt === undefined ? count : undefined)
  }
  return (
    <>
      <h1 className="visually-hidden">Live</h1>
      <Panel
        title="Live events"
        flush
        actions={
          <>
            <Rate />
            <span className="dim number" data-count={count}>
              {formatCount(count)} since this page was opened
            </span>
            <button type="button" aria-pressed={pausedAt !== undefined} onClick={pause}>
              {pausedAt === undefined ? 'Pause' : `Go on (${formatCount(count - pausedAt)} waiting)`}
            </button>
          </>
        }
      >
        <LiveFilter />
        {events.length === 0 ? (
          <NoEvents seen={source.length} />
        ) : group ? (
          <ByExecution events={events} />
        ) : (
          <Events events={events} />
        )}
      </Panel>
    </>
  )
}

/** Why there is none: nobody knows what happens while the service cannot be heard. */
function NoEvents({ seen }: { seen: number }) {
  const { connection } = useStore(feed)
  if (seen > 0) return <Empty title={`0 of ${formatCount(seen)} match.`} />
  if (connection.status !== 'open')
    return <Empty title="Not connected.">Events appear here once the service can be reached.</Empty>
  return <Empty title="No event yet.">What agents do appears here as it happens.</Empty>
}

/** Which events are shown, and how. */
function LiveFilter() {
  const { find = '', group = false } = useSearch({ from: '/live' })
  const navigate = useNavigate({ from: '/live' })
  function show(change: { find?: string | undefined; group?: true | undefined }): void {
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })
  }
  return (
    <div className="filter-bar">
      <input
        type="search"
        data-filter
        aria-label="Filter events"
        placeholder="Filter by agent, event or execution …"
        value={find}
        onChange={({ target }) => show({ find: target.value || undefined })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={group}
          onChange={({ target }) => show({ group: target.checked || undefined })}
        />
        By execution
      </label>
    </div>
  )
}

/** How much happens now; nothing is said while nobody can know. */
function Rate() {
  const { connection } = useStore(feed)
  useServerNow(1_000)
  if (connection.status !== 'open') return null
  const rate = eventsPerSecond(ring, serverNow())
  const text = rate < 10 ? String(Math.round(rate * 10) / 10) : formatCount(Math.round(rate))
  return (
    <span className="number" data-rate={rate} title="over the last ten seconds">
      {text} events/s
    </span>
  )
}

function Events({ events }: { events: SystemEvent[] }) {
  const { zone } = useStore(preferences)
  const newestFirst = useMemo(() => events.toReversed(), [events])
  return (
    <MovingRows
      label="Events"
      items={newestFirst}
      keyOf={idOf}
      kind="event"
      cells={(event) => [
        <Clock key="time" at={event.timestamp} zone={zone} />,
        <EventType key="type" event={event} />,
        event.agent_name,
        <ToExecution key="execution" event={event} />,
      ]}
    />
  )
}

/** Executions stay in their order, the one that was heard of last at the top: none moves because something came of it. */
function ByExecution({ events }: { events: SystemEvent[] }) {
  const { zone } = useStore(preferences)
  const groups = useMemo(() => groupByExecution(events).toReversed(), [events])
  return (
    <MovingRows
      label="Executions with events"
      items={groups}
      keyOf={jobIdOf}
      kind="group"
      cells={({ agents, count, failures, newest }) => [
        <Clock key="time" at={newest.timestamp} zone={zone} />,
        <EventType key="type" event={newest} />,
        <span key="agents" className="line-text" title={agents.join(', ')}>
          <span>{agents.join(', ')}</span>
          <span className="dim">
            <span className="number">{formatCount(count)}</span> {count === 1 ? 'event' : 'events'}
            {failures > 0 && <span className="bad">, {formatCount(failures)} failed</span>}
          </span>
        </span>,
        <ToExecution key="execution" event={newest} />,
      ]}
    />
  )
}

const idOf = ({ id }: SystemEvent): number => id
const jobIdOf = ({ jobId }: ExecutionEvents): string => jobId

function Clock({ at, zone }: { at: string; zone: 'local' | 'utc' }) {
  return (
    <time className="number" dateTime={at}>
      {formatClock(at, zone, true)}
    </time>
  )
}

function EventType({ event: { event_type: type } }: { event: SystemEvent }) {
  return (
    <span className="timeline-type" data-type={type}>
      {type.replaceAll('_', ' ')}
    </span>
  )
}

function ToExecution({ event: { job_id: id, id: span } }: { event: SystemEvent }) {
  return (
    <Link to="/executions/$id" params={{ id }} search={{ span }}>
      <code>{shortId(id)}</code>
    </Link>
  )
}
