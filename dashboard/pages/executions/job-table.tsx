import { Link, useNavigate } from '@tanstack/react-router'
import type { VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type RefObject } from 'react'
import { useJobs, type JobFilter, type JobListItem } from '../../api/queries.ts'
import { useListed } from '../../live/listed.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Failure, Skeleton } from '../../parts/panel.tsx'
import { moveOf } from '../../parts/row-keys.ts'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { shownColumns, tracksOf, type Column } from './columns.ts'
import { without, wordOf } from './filter-grammar.ts'
import { InputsPreview } from './inputs-preview.tsx'
import { JobRow } from './job-row.tsx'
import { useJobRows, type JobRows } from './use-job-rows.ts'

const ROW_PX = 36
const AHEAD = 30

interface JobTableProps {
  filter: JobFilter
  onFilter: (filter: JobFilter) => void
}

/** Executions as a table of which only the rows in view exist. */
export function JobTable({ filter, onFilter }: JobTableProps) {
  const list = useJobRows(filter)
  const { rows, query } = list
  const [active, setActive] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [pointed, setPointed] = useState<string>()
  const columns = shownColumns(useStore(preferences).columns)
  const scroller = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  const items = virtual.getVirtualItems()
  useListed(() => rows.map(({ job_id }) => job_id))
  useMorePages(items.at(-1)?.index ?? 0, list)
  useFollowAtTop(scroller, list)
  function onKey(event: KeyboardEvent): void {
    const next = moveOf(event, active, rows.length)
    if (next !== undefined) {
      event.preventDefault()
      setActive(next)
      setPointed(rows[next]?.job_id)
      virtual.scrollToIndex(next)
    } else if (event.key === 'Enter' && event.target === event.currentTarget) {
      void navigate({ to: '/executions/$id', params: { id: rows[active]?.job_id ?? '' } })
    }
  }
  if (query.data === undefined) return <Waiting query={query} />
  return (
    <>
      <Fresh list={list} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <ChoiceBar chosen={rows.filter(({ job_id }) => chosen.has(job_id))} onChosen={(ids) => setChosen(new Set(ids))}>
        <ChooseAll list={list} chosen={chosen} onChosen={setChosen} />
      </ChoiceBar>
      {rows.length === 0 ? (
        <Nothing filter={filter} onFilter={onFilter} />
      ) : (
        <div
          ref={scroller}
          className="rows"
          role="grid"
          aria-label="Executions"
          aria-rowcount={query.hasNextPage ? -1 : rows.length}
          aria-activedescendant={activeIdOf(items, rows, active)}
          tabIndex={0}
          style={{ '--tracks': tracksOf(columns) } as CSSProperties}
          onKeyDown={onKey}
        >
          <Head {...{ rows, columns, chosen }} onChosen={setChosen} />
          <Body
            {...{ items, rows, columns, active, chosen }}
            height={virtual.getTotalSize()}
            onChosen={setChosen}
            onPoint={setPointed}
          />
        </div>
      )}
      {rows.length > 0 && <Foot list={list} pointed={pointed} />}
    </>
  )
}

/** The row that the keys are at, as long as it is in view. */
function activeIdOf(items: VirtualItem[], rows: JobListItem[], active: number): string | undefined {
  return items.some(({ index }) => index === active) ? `job-${rows[active]?.job_id}` : undefined
}

function useMorePages(lastShown: number, { rows, query }: JobRows): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (lastShown >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [lastShown, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])
}

/** A reader who is at the top follows; one who has scrolled is left alone. */
function useFollowAtTop(scroller: RefObject<HTMLDivElement | null>, { fresh, showFresh, query }: JobRows): void {
  const { isFetching } = query
  useEffect(() => {
    if (fresh > 0 && (scroller.current?.scrollTop ?? 0) < ROW_PX && !isFetching) showFresh()
  }, [scroller, fresh, isFetching, showFresh])
}

function Fresh({ list: { fresh, showFresh }, onShow }: { list: JobRows; onShow: () => void }) {
  if (fresh === 0) return null
  return (
    <button
      type="button"
      className="fresh"
      onClick={() => {
        onShow()
        showFresh()
      }}
    >
      {formatCount(fresh)}
      {fresh >= AHEAD * 3 ? ' or more' : ''} new ↑
    </button>
  )
}

function Foot({ list: { rows, query, total }, pointed }: { list: JobRows; pointed: string | undefined }) {
  return (
    <div className="table-foot dim">
      <p role="status">
        {formatCount(rows.length)} loaded{query.hasNextPage ? ', more below' : ''}
        {total === undefined ? '' : ` · ${formatCount(total)} in all`}
      </p>
      {pointed !== undefined && <InputsPreview key={pointed} id={pointed} />}
    </div>
  )
}

interface ChooseAllProps {
  list: JobRows
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
}

/** Chooses what matches and is not loaded yet, too, once all that is loaded was chosen. */
function ChooseAll({ list: { rows, query, readAll }, chosen, onChosen }: ChooseAllProps) {
  const [reading, setReading] = useState(false)
  if (!query.hasNextPage || rows.some(({ job_id }) => !chosen.has(job_id))) return null
  async function choose(): Promise<void> {
    setReading(true)
    onChosen(new Set(await readAll()))
    setReading(false)
  }
  return (
    <button type="button" disabled={reading} onClick={() => void choose()}>
      {reading ? `${formatCount(rows.length)} read …` : 'Choose all that match'}
    </button>
  )
}

function Waiting({ query }: { query: JobRows['query'] }) {
  const failure = query.error ?? query.failureReason
  if (failure !== null) return <Failure error={failure} onRetry={() => void query.refetch()} />
  return <Skeleton lines={8} />
}

interface BodyProps {
  items: VirtualItem[]
  height: number
  rows: JobListItem[]
  columns: readonly Column[]
  active: number
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
  onPoint: (id: string) => void
}

function Body({ items, height, rows, columns, active, chosen, onChosen, onPoint }: BodyProps) {
  const last = useRef(0)
  /** With Shift all rows between this and the one before are chosen too. */
  function choose(index: number, wanted: boolean, withRange: boolean): void {
    const [from, to] = withRange ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index]
    const next = new Set(chosen)
    for (const { job_id } of rows.slice(from, to + 1)) {
      if (wanted) next.add(job_id)
      else next.delete(job_id)
    }
    last.current = index
    onChosen(next)
  }
  return (
    <div role="presentation" className="rows-canvas" style={{ height: height }}>
      {items.map(({ index, start }) => {
        const job = rows[index]
        if (job === undefined) return null
        return (
          <JobRow
            key={job.job_id}
            job={job}
            columns={columns}
            index={index}
            top={start}
            isActive={index === active}
            isChosen={chosen.has(job.job_id)}
            onChoose={(wanted, withRange) => choose(index, wanted, withRange)}
            onPoint={() => onPoint(job.job_id)}
          />
        )
      })}
    </div>
  )
}

function Head({ rows, columns, chosen, onChosen }: Pick<BodyProps, 'rows' | 'columns' | 'chosen' | 'onChosen'>) {
  return (
    <div role="row" className="row row-head">
      <span role="columnheader" className="cell cell-compare">
        <input
          type="checkbox"
          aria-label={`Choose all ${rows.length} that are loaded`}
          checked={rows.length > 0 && rows.every(({ job_id }) => chosen.has(job_id))}
          onChange={(event) => onChosen(new Set(event.target.checked ? rows.map(({ job_id }) => job_id) : []))}
        />
      </span>
      {columns.map(({ label }) => (
        <span key={label} role="columnheader" className={`cell cell-${label.toLowerCase()}`}>
          {label}
        </span>
      ))}
    </div>
  )
}

interface NothingProps {
  filter: JobFilter
  onFilter: (filter: JobFilter) => void
}

/** How many there are in all, and which word may be the one that is wrong. */
function Nothing({ filter, onFilter }: NothingProps) {
  const { data } = useJobs({}, 1, 10_000)
  const words = Object.entries(filter)
  if (words.length === 0 || data?.total === 0) {
    return (
      <Empty title="Nothing was ever submitted.">
        <span className="actions">
          <Link className="button primary" to="/playground">
            Open the playground
          </Link>
          <Link className="button" to="/">
            First steps
          </Link>
        </span>
      </Empty>
    )
  }
  return (
    <Empty title={data === undefined ? 'None matches.' : `0 of ${formatCount(data.total)} match.`}>
      <span className="actions">
        {words.map(([field, value]) => (
          <button key={field} type="button" onClick={() => onFilter(without(filter, field))}>
            Without {wordOf(field)}:{String(value)}
          </button>
        ))}
        {words.length > 1 && (
          <button type="button" onClick={() => onFilter({})}>
            Remove the whole filter
          </button>
        )}
      </span>
    </Empty>
  )
}
