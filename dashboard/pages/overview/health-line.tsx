import type { useHealth } from '../../api/queries.ts'
import { Status } from '../../parts/status.tsx'

/** Whether the service is well, and what cannot be reached where it is not. */
export function HealthLine({ query }: { query: ReturnType<typeof useHealth> }) {
  const { data, failureReason } = query
  // How it was before says nothing of how it is.
  if (failureReason !== null) return <span className="bad">{failureReason.message}</span>
  if (data === undefined) return null
  const { components, unreachable = [] } = data
  const away = unreachable.map((name) => components[name]).join(' and ')
  const { database, storage, message_bus } = components
  return (
    <span className="health" title={`${database}, ${storage}, ${message_bus}`}>
      <Status status={data.status} />
      {away !== '' && <span className="bad"> {away} cannot be reached</span>}
    </span>
  )
}
