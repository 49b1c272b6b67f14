import { durationText } from '../../../client/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { JobListItem } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration } from '../../parts/time.tsx'
import type { Column } from './columns.ts'

interface JobRowProps {
  job: JobListItem
  columns: readonly Column[]
  index: number
  top: number
  isActive: boolean
  isChosen: boolean
  onChoose: (wanted: boolean, withRange: boolean) => void
  onPoint: () => void
}

/** One execution; one that runs is looked after for as long as it is in view. */
export function JobRow(props: JobRowProps) {
  const { job: given, columns, index, top, isActive, isChosen, onChoose, onPoint } = props
  const { data } = useQuery({
    queryKey: ['job-row', given.job_id],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/jobs', { query: { id_prefix: given.job_id, limit: 1 }, signal }),
    enabled: given.status === 'running',
    refetchInterval: ({ state }) => (state.data?.jobs[0]?.status === 'running' ? 3_000 : false),
  })
  const job = given.status === 'running' ? (data?.jobs[0] ?? given) : given
  const { job_id: id } = job
  return (
    <div
      id={`job-${id}`}
      role="row"
      className="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onPointerEnter={onPoint}
    >
      <span role="gridcell" className="cell cell-compare">
        <input
          type="checkbox"
          aria-label={`Choose ${shortId(id)}`}
          checked={isChosen}
          onChange={({ target, nativeEvent }) =>
            onChoose(target.checked, (nativeEvent as MouseEvent).shiftKey === true)
          }
        />
      </span>
      {columns.map(({ label }) => (
        <span
          key={label}
          role="gridcell"
          className={`cell cell-${label.toLowerCase()}`}
          title={label === 'Error' ? (job.error ?? undefined) : undefined}
        >
          <Cell job={job} label={label} />
        </span>
      ))}
    </div>
  )
}

/** What an execution has in a column. */
function Cell({ job, label }: { job: JobListItem; label: string }) {
  const { job_id: id, status, kind, pipeline_name, batch_id, created_at, completed_at, duration_ms, total_tokens } = job
  switch (label) {
    case 'Status':
      return <Status status={status} />
    case 'Id':
      return (
        <Link to="/executions/$id" params={{ id }}>
          <code>{shortId(id)}</code>
        </Link>
      )
    case 'Kind':
      return kind
    case 'Agent':
      return pipeline_name
    case 'Batch':
      return batch_id === null ? null : (
        <Link to="/batches/$id" params={{ id: batch_id }}>
          {shortId(batch_id)}
        </Link>
      )
    case 'Created':
      return <Ago at={created_at} />
    case 'Completed':
      return completed_at === null ? null : <Ago at={completed_at} />
    case 'Duration':
      return (
        <span className="number">
          {duration_ms === null ? <Duration from={created_at} to={completed_at} /> : durationText(duration_ms)}
        </span>
      )
    case 'Tokens':
      return <span className="number">{total_tokens > 0 ? formatCount(total_tokens) : ''}</span>
    default:
      return job.error
  }
}
