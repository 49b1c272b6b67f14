import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTraceEvent } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { containerOf } from './container-of.ts'

/** Where no Docker engine answers there is no log, and nobody is asked for it again and again. */
const KNOWN_FOR_MS = 60_000

interface WorkerLogProps {
  /** Id of the agent's task_start. */
  start: number
  /** When the event began whose log is wanted, in ms since 1970. */
  sinceMs: number
}

/** Leads to the log of the container whose worker began an agent, where there is one. */
export function WorkerLog({ start, sinceMs }: WorkerLogProps) {
  const { data } = useQuery({
    queryKey: ['containers', 'of workers'],
    queryFn: ({ signal }) => troupe().request('get', '/api/logs/containers', { signal }),
    staleTime: KNOWN_FOR_MS,
    retry: false,
    retryOnMount: false,
  })
  const containers = data?.containers ?? []
  const { data: trace } = useTraceEvent(containers.length === 0 ? undefined : start)
  const container = containerOf(trace?.payload.worker, containers)
  if (container === undefined) return null
  return (
    <div>
      <dt>Log</dt>
      <dd>
        <Link to="/containers/$id" params={{ id: container.name }} search={{ since: new Date(sinceMs).toISOString() }}>
          {container.name}
        </Link>
      </dd>
    </div>
  )
}
