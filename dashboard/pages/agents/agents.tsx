import { Link } from '@tanstack/react-router'
import { useAgents } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'

/** All agents that a worker ever hosted. */
export function Agents() {
  const query = useAgents()
  return (
    <>
      <div className="page-title">
        <h1>Agents</h1>
      </div>
      <Loaded query={query} lines={6}>
        {(agents) =>
          agents.length === 0 ? (
            <Empty title="No worker hosts an agent.">
              Start one: <code>npm run worker</code>
            </Empty>
          ) : (
            <ul className="cards">
              {agents.map(({ name, role, goal, status, tools, trace_count, last_executed }) => (
                <li key={name} className="card" data-inactive={status === 'inactive' || undefined}>
                  <div className="card-head">
                    <h2>
                      <Link to="/agents/$id" params={{ id: name }}>
                        {name}
                      </Link>
                    </h2>
                    <Status status={status} />
                  </div>
                  <p>
                    <strong>{role}</strong> · {goal}
                  </p>
                  <p className="dim">{tools.length === 0 ? 'no tools' : tools.join(', ')}</p>
                  <p className="dim">
                    {formatCount(trace_count)} events · last run <Ago at={last_executed} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}
