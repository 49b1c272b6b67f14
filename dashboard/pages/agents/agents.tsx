import { Link } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { useAgents } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/time.tsx'
import { LastDay } from './last-day.tsx'

const HEADS = [
  'Agent',
  'Status',
  { label: 'Model', is: 'spare' },
  { label: 'Tools', is: 'right spare' },
  { label: 'Runs', is: 'right spare' },
  { label: 'Last run', is: 'spare' },
  { label: 'Failed, 24 h', is: 'right' },
] satisfies Parameters<typeof Table>[0]['heads']

/** All agents that a worker ever hosted. */
export function Agents() {
  const query = useAgents()
  return (
    <>
      <h1 className="visually-hidden">Agents</h1>
      <Panel title="Agents" flush>
        <Loaded query={query} lines={6}>
          {(agents) =>
            agents.length === 0 ? (
              <Empty title="No worker hosts an agent.">
                Start one: <code>npm run worker</code>
              </Empty>
            ) : (
              <Table label="Table of agents" heads={HEADS}>
                <tbody>
                  {agents.map((agent) => (
                    <AgentRow key={agent.name} agent={agent} />
                  ))}
                </tbody>
              </Table>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

function AgentRow({ agent }: { agent: Schema<'Agent'> }) {
  const { name, role, goal, status, models, tools, runs, last_executed, last_day } = agent
  return (
    <tr data-agent={name} data-inactive={status === 'inactive' || undefined}>
      <th scope="row" className="agent">
        <Link to="/agents/$id" params={{ id: name }}>
          {name}
        </Link>
        <p className="dim">
          {role} · {goal}
        </p>
      </th>
      <td>
        <Status status={status} />
      </td>
      <td className="spare name">{modelText(models)}</td>
      <td className="right spare" title={tools.join(', ')}>
        {formatCount(tools.length)}
      </td>
      <td className="right spare" data-runs={runs}>
        {formatCount(runs)}
      </td>
      <td className="spare">
        <Ago at={last_executed} />
      </td>
      <td className="right wraps">
        <LastDay day={last_day} />
      </td>
    </tr>
  )
}

/** The models of an agent, in the order in which they are asked. */
export function modelText(models: string[]): string {
  return models.length === 0 ? 'plain code' : models.join(', then ')
}
