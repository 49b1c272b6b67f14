import { useAgents } from '../api/queries.ts'
import { Ago } from './time.tsx'

/** Says of something that runs which of its agents no worker hosts: it waits for one, and nobody would see why. */
export function NoWorker({ agents }: { agents: readonly string[] }) {
  const { data = [] } = useAgents()
  const away = data.filter(({ name, status }) => status === 'inactive' && agents.includes(name))
  if (away.length === 0) return null
  return (
    <ul className="note" aria-label="Agents without a worker">
      {away.map(({ name, last_seen }) => (
        <li key={name}>
          No worker hosts {name} now (the last was seen <Ago at={last_seen} />
          ): it goes on when one does, such as <code>npm run worker</code>.
        </li>
      ))}
    </ul>
  )
}
