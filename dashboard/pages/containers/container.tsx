import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { LogStore, type LogBegin, type LogState } from '../../live/log-store.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Panel } from '../../parts/panel.tsx'
import { namesOf } from './container-names.ts'
import { isMoment, LogBeginChoice } from './log-begin-choice.tsx'
import { LogContainersMenu } from './log-containers-menu.tsx'
import { LogDownload } from './log-download.tsx'
import { LogLines } from './log-lines.tsx'
import { matcherOf } from './log-line.ts'

/** The log of a container, live; or those of several in one, in the order of their times. */
export function ContainerPage() {
  const { id } = useParams({ from: '/containers/$id' })
  const { tail, since } = useSearch({ from: '/containers/$id' })
  const names = namesOf(id)
  return (
    <>
      <div className="page-title">
        <h1>{names.join(' + ')}</h1>
        <div className="actions">
          <LogContainersMenu names={names} />
          <Link to="/containers">All containers</Link>
        </div>
      </div>
      <ContainerLog key={`${id} ${tail} ${since}`} names={names} begin={{ tail, since }} />
    </>
  )
}

function ContainerLog({ names, begin }: { names: string[]; begin: LogBegin }) {
  const [store] = useState(() => new LogStore(names, begin))
  const state = useStore(store)
  const { find = '' } = useSearch({ from: '/containers/$id' })
  const { wrap } = useStore(preferences)
  // Who comes to look at a moment is not taken away from it.
  const [follow, setFollow] = useState(!isMoment(begin))
  useEffect(() => {
    const leaving = new AbortController()
    void store.follow(leaving.signal)
    return () => leaving.abort()
  }, [store])
  const matcher = useMemo(() => matcherOf(find), [find])
  const expression = 'expression' in matcher ? matcher.expression : undefined
  const lines = useMemo(
    () => (expression === undefined ? state.lines : state.lines.filter(({ text }) => text.search(expression) !== -1)),
    [state.lines, expression],
  )
  return (
    <Panel title="Log" flush actions={<LogDownload names={names} lines={lines} />}>
      <div className="filter-bar">
        <LineFilter problem={'problem' in matcher ? matcher.problem : undefined} />
        <span className="dim number">{formatCount(lines.length)} lines</span>
        <LogBeginChoice {...begin} />
        <Check label="Wrap" checked={wrap} onChange={(wrap) => preferences.update({ wrap })} />
        <Check label="Follow" checked={follow} onChange={setFollow} />
      </div>
      <Notes state={state} />
      {lines.length === 0 ? (
        <NoLines state={state} />
      ) : (
        <LogLines
          key={String(wrap)}
          lines={lines}
          sources={names}
          expression={expression}
          wrap={wrap}
          follow={follow}
          onFollow={setFollow}
        />
      )}
    </Panel>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

function LineFilter({ problem }: { problem: string | undefined }) {
  const { find = '' } = useSearch({ from: '/containers/$id' })
  const navigate = useNavigate({ from: '/containers/$id' })
  return (
    <>
      <input
        type="search"
        data-filter
        aria-label="Filter lines"
        placeholder="Filter: a text or a /regular expression/"
        value={find}
        aria-invalid={problem !== undefined}
        onChange={({ target }) =>
          void navigate({ search: (now) => ({ ...now, find: target.value || undefined }), replace: true })
        }
      />
      {problem !== undefined && <p className="field-error">{problem}</p>}
    </>
  )
}

/** Why there is no line; what failed is said above. */
function NoLines({ state: { lines, sources } }: { state: LogState }) {
  if (lines.length > 0) return <Empty title={`0 of ${formatCount(lines.length)} match.`} />
  if (Object.values(sources).some(({ error }) => error !== undefined)) return null
  return <Empty title="No line yet.">What the container writes appears here.</Empty>
}

function Notes({ state: { sources } }: { state: LogState }) {
  return Object.entries(sources).map(([name, { error, connection }]) => {
    const isLost = connection?.status === 'disconnected'
    if (error === undefined && !isLost) return null
    return (
      <p key={name} className="note note-bad" role="status">
        {name}: {error?.message ?? `reconnecting (attempt ${connection?.attempt}) …`}
      </p>
    )
  })
}
