import { Link } from '@tanstack/react-router'
import { useAgents, type useHealth } from '../../api/queries.ts'
import { session } from '../../api/session.ts'
import { useStore } from '../../live/store.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { HealthLine } from './health-line.tsx'

/** What a new service shows instead of zeros. */
export function FirstSteps({ health }: { health: ReturnType<typeof useHealth> }) {
  const { data: agents = [] } = useAgents()
  const { key } = useStore(session)
  const active = agents.filter(({ status }) => status === 'active')
  const agent = active.find(({ name }) => name === 'researcher') ?? active[0]
  const header = key === undefined ? '' : ' -H "X-API-Key: $TROUPE_KEY"'
  const body = JSON.stringify({ prompt_name: agent?.name ?? 'researcher', inputs: { query: 'Why is the sky blue?' } })
  const curl = `curl -s${header} ${location.origin}/api/prompts \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`
  return (
    <>
      <div className="page-title">
        <h1>Nothing has run yet</h1>
        <HealthLine query={health} />
      </div>
      <div className="columns columns-3">
        <Panel title="1 · Try an agent here">
          {agent === undefined ? (
            <p>
              No worker hosts an agent yet: start one with <code>npm run worker</code>.
            </p>
          ) : (
            <>
              <p>
                {active.length === 1 ? '1 agent is ready' : `${active.length} agents are ready`}:{' '}
                {active.map(({ name }) => name).join(', ')}.
              </p>
              <Link className="button primary" to="/playground" search={{ agent: agent.name }}>
                Open the playground
              </Link>
            </>
          )}
        </Panel>
        <Panel title="2 · Or from a terminal" actions={<CopyButton text={curl} what="the command" />}>
          <pre className="plain-text" tabIndex={0} aria-label="The command">
            {curl}
          </pre>
        </Panel>
        <Panel title="3 · Or many at once">
          <p>A CSV or JSONL file becomes a batch: one task a line, whatever their number.</p>
          <Link className="button" to="/batches/new">
            Submit tasks from a file
          </Link>
        </Panel>
      </div>
    </>
  )
}
