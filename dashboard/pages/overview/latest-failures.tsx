import { nameAlikeErrors } from '../../../client/index.ts'
import { Link } from '@tanstack/react-router'
import type { JobListItem, useJobs } from '../../api/queries.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Ago } from '../../parts/time.tsx'

const GROUPS = 6

/** The latest failures, those with the same error together. */
export function LatestFailures({ query }: { query: ReturnType<typeof useJobs> }) {
  return (
    <Panel
      title="Latest failures"
      actions={
        <Link to="/executions" search={{ status: 'failed' }}>
          All
        </Link>
      }
    >
      <Loaded query={query}>
        {({ jobs, next_cursor }) =>
          jobs.length === 0 ? (
            <Empty title="Nothing has failed." />
          ) : (
            <>
              <ul className="lines">
                {groupsOf(jobs)
                  .slice(0, GROUPS)
                  .map((group) => (
                    <FailureLine key={group.jobs[0].job_id} group={group} />
                  ))}
              </ul>
              {next_cursor !== null && <p className="dim">Among the latest {formatCount(jobs.length)}.</p>}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

interface Group {
  error: string
  jobs: [JobListItem, ...JobListItem[]]
}

function FailureLine({ group: { error, jobs } }: { group: Group }) {
  const [newest] = jobs
  return (
    <li>
      <span className="count-badge number" title={`${jobs.length} with this error`}>
        {jobs.length}
      </span>
      <span className="line-text">
        <Link to="/executions/$id" params={{ id: newest.job_id }} search={{ errors: true }}>
          {error}
        </Link>
        <span className="dim">
          {newest.pipeline_name} · <code>{shortId(newest.job_id)}</code> · <Ago at={newest.created_at} />
        </span>
      </span>
    </li>
  )
}

/** Failures of one agent that are alike, the latest first. */
function groupsOf(jobs: JobListItem[]): Group[] {
  const names = nameAlikeErrors(jobs.map(({ error }) => error))
  const byError = Map.groupBy(jobs, ({ pipeline_name, error }) => `${pipeline_name}\0${names.get(error)}`)
  return ([...byError.values()] as Group['jobs'][]).map((alike) => ({
    jobs: alike,
    error: names.get(alike[0].error) ?? '',
  }))
}
