import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SystemEvent } from '../../../client/index.ts'
import { feed, ring, RING_SIZE } from '../../live/feed.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatClock, formatCount, shortId } from '../../parts/format.ts'
import { Empty, Panel } from '../../parts/panel.tsx'

const ROW_PX = 30

/** Every event of the service as it happens, the newest first. */
export function Live() {
  const { count } = useStore(feed)
  const { find = '' } = useSearch({ from: '/live' })
  const navigate = useNavigate({ from: '/live' })
  const [pausedAt, setPausedAt] = useState<number>()
  const [kept, setKept] = useState<SystemEvent[]>([])
  const wanted = find.toLowerCase()
  const events = useMemo(() => {
    const source = pausedAt === undefined ? ring.slice(-RING_SIZE) : kept
    return (wanted === '' ? source : source.filter((event) => fits(event, wanted))).toReversed()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the ring is changed in place; its count says when
  }, [count, wanted, pausedAt, kept])
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
            <span className="dim number" data-count={count}>
              {formatCount(count)} since this page was opened
            </span>
            <button type="button" aria-pressed={pausedAt !== undefined} onClick={pause}>
              {pausedAt === undefined ? 'Pause' : `Go on (${formatCount(count - pausedAt)} waiting)`}
            </button>
          </>
        }
      >
        <div className="filter-bar">
          <input
            type="search"
            data-filter
            aria-label="Filter events"
            placeholder="Filter by agent, event or execution …"
            value={find}
            onChange={({ target }) => void navigate({ search: { find: target.value || undefined }, replace: true })}
          />
        </div>
        {events.length === 0 ? (
          <Empty title={count === 0 ? 'No event yet.' : 'No event fits the filter.'}>
            {count === 0 && 'What agents do appears here as it happens.'}
          </Empty>
        ) : (
          <Events events={events} />
        )}
      </Panel>
    </>
  )
}

function fits({ agent_name, event_type, job_id }: SystemEvent, wanted: string): boolean {
  return [agent_name, event_type, job_id].some((text) => text.toLowerCase().includes(wanted))
}

function Events({ events }: { events: SystemEvent[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { zone } = useStore(preferences)
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    getItemKey: (index) => events[index]?.id ?? index,
  })
  useKeepPlace(scroller, events)
  return (
    <div ref={scroller} className="rows" role="table" aria-label="Events" aria-rowcount={events.length} tabIndex={0}>
      <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const event = events[index]
          if (event === undefined) return null
          return (
            <div key={key} role="row" className="row row-event" style={{ transform: `translateY(${start}px)` }}>
              <span role="cell" className="cell number">
                <time dateTime={event.timestamp}>{formatClock(event.timestamp, zone, true)}</time>
              </span>
              <span role="cell" className="cell">
                <span className="timeline-type" data-type={event.event_type}>
                  {event.event_type.replaceAll('_', ' ')}
                </span>
              </span>
              <span role="cell" className="cell">
                {event.agent_name}
              </span>
              <span role="cell" className="cell">
                <Link to="/executions/$id" params={{ id: event.job_id }} search={{ span: event.id }}>
                  <code>{shortId(event.job_id)}</code>
                </Link>
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** What a reader looks at stays where it is, however many rows come in above it. */
function useKeepPlace(scroller: React.RefObject<HTMLDivElement | null>, events: SystemEvent[]): void {
  const newest = useRef(events[0]?.id)
  useEffect(() => {
    const added = events.findIndex(({ id }) => id === newest.current)
    newest.current = events[0]?.id
    const element = scroller.current
    if (element === null || element.scrollTop === 0 || added <= 0) return
    element.scrollTop += added * ROW_PX
  }, [events, scroller])
}
