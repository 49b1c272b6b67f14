import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { troupe } from '../../api/session.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'

const SHOWN = 5

/** The batches that were begun last. */
export function RecentBatches() {
  const query = useQuery({
    queryKey: ['batches', 'recent'],
    queryFn: ({ signal }) => troupe().request('get', '/api/batches', { query: { limit: SHOWN, ids: false }, signal }),
    refetchInterval: 5_000,
  })
  return (
    <Panel title="Latest batches" actions={<Link to="/batches">All</Link>}>
      <Loaded query={query}>
        {({ batches }) =>
          batches.length === 0 ? (
            <Empty title="No batch yet.">
              <Link to="/batches/new">Submit tasks from a file</Link>
            </Empty>
          ) : (
            <ul className="lines">
              {batches.map(({ batch_id, agent_name, status, task_count, created_at, summary }) => (
                <li key={batch_id}>
                  <span className="line-text">
                    <Link to="/batches/$id" params={{ id: batch_id }}>
                      {shortId(batch_id)}
                    </Link>
                    <span className="dim">
                      {agent_name} · {formatCount(task_count)} {task_count === 1 ? 'task' : 'tasks'}
                      {summary.failed > 0 && <span className="bad">, {formatCount(summary.failed)} failed</span>} ·{' '}
                      <Ago at={created_at} />
                    </span>
                  </span>
                  <Status status={status} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
