import { durationText } from '../../../client/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { JobListItem } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration } from '../../parts/time.tsx'

interface JobRowProps {
  job: JobListItem
  index: number
  top: number
  isActive: boolean
  isChosen: boolean
  onChoose: (wanted: boolean, withRange: boolean) => void
}

/** One execution; one that runs is looked after for as long as it is in view. */
export function JobRow({ job: given, index, top, isActive, isChosen, onChoose }: JobRowProps) {
  const { data } = useQuery({
    queryKey: ['job-row', given.job_id],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/jobs', { query: { id_prefix: given.job_id, limit: 1 }, signal }),
    enabled: given.status === 'running',
    refetchInterval: ({ state }) => (state.data?.jobs[0]?.status === 'running' ? 3_000 : false),
  })
  const job = given.status === 'running' ? (data?.jobs[0] ?? given) : given
  const { job_id: id, status, kind, pipeline_name, created_at, completed_at, duration_ms, total_tokens, error } = job
  return (
    <div
      id={`job-${id}`}
      role="row"
      className="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)` }}
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
      <span role="gridcell" className="cell cell-status">
        <Status status={status} />
      </span>
      <span role="gridcell" className="cell cell-id">
        <Link to="/executions/$id" params={{ id }}>
          <code>{shortId(id)}</code>
        </Link>
      </span>
      <span role="gridcell" className="cell cell-kind">
        {kind}
      </span>
      <span role="gridcell" className="cell cell-agent">
        {pipeline_name}
      </span>
      <span role="gridcell" className="cell cell-created">
        <Ago at={created_at} />
      </span>
      <span role="gridcell" className="cell cell-duration number">
        {duration_ms === null ? <Duration from={created_at} to={completed_at} /> : durationText(duration_ms)}
      </span>
      <span role="gridcell" className="cell cell-tokens number">
        {total_tokens > 0 ? formatCount(total_tokens) : ''}
      </span>
      <span role="gridcell" className="cell cell-error" title={error ?? undefined}>
        {error}
      </span>
    </div>
  )
}
