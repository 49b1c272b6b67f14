import { useQuery } from '@tanstack/react-query'
import { troupe } from '../../api/session.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { SchemaFields } from '../../parts/schema-fields.tsx'

/** The tools of an agent with what they take. */
export function Tools({ agent }: { agent: string }) {
  const query = useQuery({
    queryKey: ['tools', agent],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/agents/{agent_name}/tools', { path: { agent_name: agent }, signal }),
    staleTime: 60_000,
  })
  return (
    <Panel title="Tools">
      <Loaded query={query}>
        {({ tools }) =>
          tools.length === 0 ? (
            <Empty title="It has no tools." />
          ) : (
            <ul className="tools">
              {tools.map(({ name, description, parameters }) => (
                <li key={name}>
                  <details>
                    <summary>
                      <code>{name}</code> <span className="dim">{description}</span>
                    </summary>
                    <SchemaFields schema={parameters} />
                    <details>
                      <summary className="dim">JSON Schema</summary>
                      <JsonView value={parameters} label={`the schema of what ${name} takes`} />
                    </details>
                  </details>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
