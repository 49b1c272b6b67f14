import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { durationText, type Schema } from '../../../client/index.ts'
import { useAgents, useJobs, useRole } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { fieldsOfSchema } from '../../parts/schema.ts'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'
import { modelText } from './agents.tsx'
import { Chat } from './chat.tsx'
import { ChatSteps } from './chat-steps.tsx'
import { LastDay } from './last-day.tsx'
import { Schemas } from './schemas.tsx'
import { Tools } from './tools.tsx'

/** One agent: to talk to, what it can do, and what it did last. */
export function AgentPage() {
  const { id } = useParams({ from: '/agents/$id' })
  const agents = useAgents()
  return (
    <Loaded query={agents} lines={6} heading="Agent">
      {(all) => {
        const agent = all.find(({ name }) => name === id)
        if (agent === undefined)
          return (
            <Empty title={`There is no agent “${id}”.`} heading>
              <Link to="/agents">All agents</Link>
            </Empty>
          )
        return (
          <>
            <header className="page-head">
              <div className="page-title">
                <h1>{agent.name}</h1>
                <Status status={agent.status} />
                <div className="actions">
                  <Link className="button" to="/playground" search={{ agent: id }}>
                    Open in the playground
                  </Link>
                  <ForgetAnswers agent={id} />
                </div>
              </div>
              <p>
                <strong>{agent.role}</strong> · {agent.goal}
              </p>
              <AgentFacts agent={agent} />
            </header>
            <AgentBody key={id} agent={agent} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The chat, beside it the steps to one of its answers, and what is known of the agent. */
function AgentBody({ agent }: { agent: Schema<'Agent'> }) {
  const [shown, setShown] = useState<string>()
  const { name, status, input } = agent
  return (
    <div className="columns">
      <Chat agent={name} active={status === 'active'} fits={takesMessage(input)} shown={shown} onShow={setShown} />
      <div className="stack">
        {shown !== undefined && (
          <div id="steps">
            <ChatSteps key={shown} id={shown} />
          </div>
        )}
        <Schemas agent={agent} />
        <Tools agent={name} />
        <RecentRuns agent={name} />
      </div>
    </div>
  )
}

function AgentFacts({ agent }: { agent: Schema<'Agent'> }) {
  const { models, runs, last_day, last_executed, last_seen } = agent
  const facts: [label: string, value: ReactNode][] = [
    ['Model', modelText(models)],
    ['Runs', formatCount(runs)],
    ['Failed in 24 h', <LastDay day={last_day} />],
    ['Last run', <Ago at={last_executed} />],
    ['Last seen', <Ago at={last_seen} />],
  ]
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** For admins: the next calls are made anew. */
function ForgetAnswers({ agent }: { agent: string }) {
  if (useRole() !== 'admin') return null
  const run = async (): Promise<string> => {
    const { deleted } = await troupe().clearCache(agent)
    return `${formatCount(deleted.answers)} kept answers are forgotten.`
  }
  return (
    <ConfirmButton label="Clear cache" title={`Forget the kept answers of ${agent}?`} action="Forget them" run={run}>
      <p>
        What its model and tools answered is kept where it says so (<code>cache</code>). The next calls are made, and
        paid for, anew.
      </p>
    </ConfirmButton>
  )
}

/** A chat sends a message and nothing else. */
function takesMessage(schema: Record<string, unknown> | null | undefined): boolean {
  return schema == null || fieldsOfSchema(schema).every(({ name, isRequired }) => name === 'message' || !isRequired)
}

function RecentRuns({ agent }: { agent: string }) {
  const query = useJobs({ agent }, 10, 5_000)
  return (
    <Panel
      title="Latest runs"
      actions={
        <Link to="/executions" search={{ agent }}>
          All
        </Link>
      }
    >
      <Loaded query={query}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty title="Nothing was submitted to it yet." />
          ) : (
            <ul className="lines">
              {jobs.map(({ job_id, status, kind, created_at, duration_ms }) => (
                <li key={job_id}>
                  <span className="line-text">
                    <Link to="/executions/$id" params={{ id: job_id }}>
                      <code>{shortId(job_id)}</code>
                    </Link>
                    <span className="dim">
                      {kind} · <Ago at={created_at} />
                      {duration_ms === null ? '' : ` · ${durationText(duration_ms)}`}
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
