import { useNavigate } from '@tanstack/react-router'
import type { VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useJobs, type JobFilter, type JobListItem } from '../../api/queries.ts'
import { useListed } from '../../live/listed.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Failure, Skeleton } from '../../parts/panel.tsx'
import { moveOf } from '../../parts/row-keys.ts'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { without, wordOf } from './filter-grammar.ts'
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
      virtual.scrollToIndex(next)
    } else if (event.key === 'Enter' && event.target === event.currentTarget) {
      void navigate({ to: '/executions/$id', params: { id: rows[active]?.job_id ?? '' } })
    }
  }
  if (query.data === undefined) return <Waiting query={query} />
  return (
    <>
      <Fresh list={list} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <ChoiceBar chosen={rows.filter(({ job_id }) => chosen.has(job_id))} onChosen={(ids) => setChosen(new Set(ids))} />
      {rows.length === 0 ? (
        <Nothing filter={filter} onFilter={onFilter} />
      ) : (
        <div
          ref={scroller}
          className="rows"
          role="grid"
          aria-label="Executions"
          aria-rowcount={query.hasNextPage ? -1 : rows.length}
          aria-activedescendant={
            items.some(({ index }) => index === active) ? `job-${rows[active]?.job_id}` : undefined
          }
          tabIndex={0}
          onKeyDown={onKey}
        >
          <Head rows={rows} chosen={chosen} onChosen={setChosen} />
          <Body
            items={items}
            height={virtual.getTotalSize()}
            rows={rows}
            active={active}
            chosen={chosen}
            onChosen={setChosen}
          />
        </div>
      )}
      {rows.length > 0 && <Foot list={list} />}
    </>
  )
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

function Foot({ list: { rows, query, total } }: { list: JobRows }) {
  return (
    <p className="table-foot dim" role="status">
      {formatCount(rows.length)} loaded{query.hasNextPage ? ', more below' : ''}
      {total === undefined ? '' : ` · ${formatCount(total)} in all`}
    </p>
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
  active: number
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
}

function Body({ items, height, rows, active, chosen, onChosen }: BodyProps) {
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
            index={index}
            top={start}
            isActive={index === active}
            isChosen={chosen.has(job.job_id)}
            onChoose={(wanted, withRange) => choose(index, wanted, withRange)}
          />
        )
      })}
    </div>
  )
}

function Head({ rows, chosen, onChosen }: Pick<BodyProps, 'rows' | 'chosen' | 'onChosen'>) {
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
      {['Status', 'Id', 'Kind', 'Agent', 'Created', 'Duration', 'Tokens', 'Error'].map((label) => (
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
        Try an agent in the playground, or follow the first steps of the overview.
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
