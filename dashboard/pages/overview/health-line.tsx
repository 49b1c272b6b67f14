import type { useHealth } from '../../api/queries.ts'
import { Status } from '../../parts/status.tsx'

/** Whether the service is well. */
export function HealthLine({ query }: { query: ReturnType<typeof useHealth> }) {
  const { data } = query
  if (data === undefined) return <span className="dim">{query.failureReason?.message ?? ''}</span>
  const { database, storage, message_bus } = data.components
  return (
    <span className="health" title={`${database}, ${storage}, ${message_bus}`}>
      <Status status={data.status} />
    </span>
  )
}
