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
                    <FailureLine key={group[0].job_id} group={group} />
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

type Group = [JobListItem, ...JobListItem[]]

function FailureLine({ group }: { group: Group }) {
  const [newest] = group
  return (
    <li>
      <span className="count-badge number" title={`${group.length} with this error`}>
        {group.length}
      </span>
      <span className="line-text">
        <Link to="/executions/$id" params={{ id: newest.job_id }} search={{ errors: true }}>
          {firstLine(newest)}
        </Link>
        <span className="dim">
          {newest.pipeline_name} · <code>{shortId(newest.job_id)}</code> · <Ago at={newest.created_at} />
        </span>
      </span>
    </li>
  )
}

function firstLine({ error }: JobListItem): string {
  return error?.split('\n')[0] || 'No error was given.'
}

function groupsOf(jobs: JobListItem[]): Group[] {
  return [...Map.groupBy(jobs, (job) => `${job.pipeline_name}\0${firstLine(job)}`).values()] as Group[]
}
