import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { LogStore, type LogState } from '../../live/log-store.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { downloadText } from '../../parts/download.ts'
import { formatClock, formatCount } from '../../parts/format.ts'
import { Empty, Panel } from '../../parts/panel.tsx'
import { levelOf, matcherOf, type Matcher } from './log-line.ts'

const ROW_PX = 22

/** A container's log, live. */
export function ContainerPage() {
  const { id } = useParams({ from: '/containers/$id' })
  return <ContainerLog key={id} name={id} />
}

function ContainerLog({ name }: { name: string }) {
  const [store] = useState(() => new LogStore(name))
  const state = useStore(store)
  const { version } = state
  const { find = '' } = useSearch({ from: '/containers/$id' })
  const navigate = useNavigate({ from: '/containers/$id' })
  const setFind = (next: string): void => void navigate({ search: { find: next || undefined }, replace: true })
  const [follow, setFollow] = useState(true)
  const matcher = matcherOf(find)
  useEffect(() => {
    const leaving = new AbortController()
    void store.follow(leaving.signal)
    return () => leaving.abort()
  }, [store])
  const lines = useMemo(
    () => ('matches' in matcher ? store.lines.filter(({ message }) => matcher.matches(message)) : store.lines),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the lines are changed in place; the version says when
    [version, find],
  )
  return (
    <>
      <div className="page-title">
        <h1>{name}</h1>
        <Link to="/containers">All containers</Link>
      </div>
      <Panel
        title="Log"
        flush
        actions={
          <>
            <label className="check">
              <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.target.checked)} />
              Follow
            </label>
            <button
              type="button"
              onClick={() =>
                downloadText(
                  lines.map((line) => `${line.timestamp} ${line.message}\n`),
                  `${name}.log`,
                  'text/plain',
                )
              }
            >
              Download
            </button>
          </>
        }
      >
        <LineFilter find={find} onFind={setFind} matcher={matcher} count={lines.length} />
        <Notes state={state} />
        {lines.length === 0 ? (
          <Empty title="No line yet." />
        ) : (
          <Lines lines={lines} follow={follow} onFollow={setFollow} />
        )}
      </Panel>
    </>
  )
}

interface LineFilterProps {
  find: string
  onFind: (find: string) => void
  matcher: Matcher
  /** Lines that are shown. */
  count: number
}

function LineFilter({ find, onFind, matcher, count }: LineFilterProps) {
  return (
    <div className="filter-bar">
      <input
        type="search"
        data-filter
        aria-label="Filter lines"
        placeholder="Filter: a text or a /regular expression/"
        value={find}
        aria-invalid={'problem' in matcher}
        onChange={(event) => onFind(event.target.value)}
      />
      <span className="dim number">{formatCount(count)} lines</span>
      {'problem' in matcher && <p className="field-error">{matcher.problem}</p>}
    </div>
  )
}

function Notes({ state: { error, connection, ended } }: { state: LogState }) {
  return (
    <>
      {error !== undefined && (
        <p className="note note-bad" role="status">
          {error.message}
        </p>
      )}
      {connection?.status === 'disconnected' && (
        <p className="note note-bad" role="status">
          Reconnecting (attempt {connection.attempt}) …
        </p>
      )}
      {ended && (
        <p className="note" role="status">
          The container has ended.
        </p>
      )}
    </>
  )
}

interface LinesProps {
  lines: { timestamp: string; message: string }[]
  follow: boolean
  onFollow: (follow: boolean) => void
}

function Lines({ lines, follow, onFollow }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { zone } = useStore(preferences)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  })
  useEffect(() => {
    if (follow) virtual.scrollToIndex(lines.length - 1)
  }, [follow, lines.length, virtual])
  return (
    <div
      ref={scroller}
      className="rows log"
      role="log"
      aria-label="Lines"
      aria-live="off"
      tabIndex={0}
      onWheel={({ deltaY }) => deltaY < 0 && onFollow(false)}
    >
      <div className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const { timestamp, message } = lines[index] as LinesProps['lines'][number]
          return (
            <div
              key={index}
              className="log-line"
              data-level={levelOf(message)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <time className="dim">{timestamp === '' ? '' : formatClock(timestamp, zone, true)}</time> {message}
            </div>
          )
        })}
      </div>
    </div>
  )
}
