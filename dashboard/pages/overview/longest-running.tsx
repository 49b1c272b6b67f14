import { Link } from '@tanstack/react-router'
import type { useJobs } from '../../api/queries.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Duration } from '../../parts/time.tsx'

const SHOWN = 6

/** What has been running for longest. */
export function LongestRunning({ query }: { query: ReturnType<typeof useJobs> }) {
  return (
    <Panel
      title="Running for longest"
      actions={
        <Link to="/executions" search={{ status: 'running' }}>
          All
        </Link>
      }
    >
      <Loaded query={query}>
        {({ jobs, next_cursor }) =>
          jobs.length === 0 ? (
            <Empty title="Nothing runs now." />
          ) : (
            <>
              <ul className="lines">
                {jobs
                  .toReversed()
                  .slice(0, SHOWN)
                  .map(({ job_id, pipeline_name, kind, created_at }) => (
                    <li key={job_id}>
                      <span className="line-text">
                        <Link to="/executions/$id" params={{ id: job_id }}>
                          {pipeline_name}
                        </Link>
                        <span className="dim">
                          {kind} · <code>{shortId(job_id)}</code>
                        </span>
                      </span>
                      <Duration from={created_at} to={null} />
                    </li>
                  ))}
              </ul>
              {next_cursor !== null && <p className="dim">Among the latest {formatCount(jobs.length)} that run.</p>}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
