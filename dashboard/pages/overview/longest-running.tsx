import { Link } from '@tanstack/react-router'
import type { ResponseOf } from '../../../client/index.ts'
import { useJobs } from '../../api/queries.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Duration } from '../../parts/time.tsx'

const SHOWN = 6
const READ = 200
const EVERY_MS = 5_000

/** What has been running for longest. Tasks stand in their batch: thousands of them, also waiting ones, would hide the rest. */
export function LongestRunning() {
  const prompts = useJobs({ status: 'running', kind: 'prompt' }, READ, EVERY_MS)
  const jobs = useJobs({ status: 'running', kind: 'job' }, READ, EVERY_MS)
  const chats = useJobs({ status: 'running', kind: 'chat' }, READ, EVERY_MS)
  const all = [prompts, jobs, chats]
  const failing = all.find(({ data, failureReason }) => data === undefined || failureReason !== null) ?? prompts
  const read = all.flatMap(({ data }) => (data === undefined ? [] : [data]))
  return (
    <Panel
      title="Running for longest"
      actions={
        <Link to="/executions" search={{ status: 'running' }}>
          All
        </Link>
      }
    >
      <Loaded query={{ ...failing, data: read.length === all.length ? read : undefined }}>
        {(lists) => <Longest lists={lists} />}
      </Loaded>
    </Panel>
  )
}

type Page = ResponseOf<'/api/jobs', 'get'>

function Longest({ lists }: { lists: Page[] }) {
  const running = lists.flatMap(({ jobs }) => jobs)
  if (running.length === 0) return <Empty title="No prompt, job or chat runs now." />
  return (
    <>
      <ul className="lines">
        {running
          .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
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
      {lists.some(({ next_cursor }) => next_cursor !== null) && (
        <p className="dim">Among the latest {formatCount(READ)} of each kind that run.</p>
      )}
    </>
  )
}
