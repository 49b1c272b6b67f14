import { Link } from '@tanstack/react-router'
import { durationText, budgetText, costText, type Schema } from '../../../client/index.ts'
import { useAbout } from '../../api/queries.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatCount } from '../../parts/format.ts'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration, Moment } from '../../parts/time.tsx'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { ExecutionActions } from './execution-actions.tsx'
import { stoppedAfterMs } from './stopped-after.ts'

/** What an execution is, where it stands, and what can be done with it. */
export function ExecutionHead({ job, table }: { job: Schema<'Job'>; table: TraceTable }) {
  const { job_id, agents, status, token_usage, created_at, completed_at, started_at, kind, batch_id, replay_of } = job
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{agents.join(' → ') || job.pipeline_name}</h1>
        <Status status={status} />
        <ExecutionActions job={job} />
      </div>
      <dl className="facts">
        <Fact label="Id">
          <code>{job_id}</code> <CopyButton text={job_id} what="the id" />
        </Fact>
        <Fact label="Kind">{kind}</Fact>
        <Fact label="Created">
          <Moment at={created_at} /> (<Ago at={created_at} />)
        </Fact>
        <Fact label="Duration">
          <Duration from={created_at} to={completed_at} />
        </Fact>
        {started_at !== null && (
          <Fact label="Waited">{durationText(Math.max(0, Date.parse(started_at) - Date.parse(created_at)))}</Fact>
        )}
        {status === 'canceled' && <StoppedFact job={job} table={table} />}
        <Fact label="Tokens">
          <span className="number" data-tokens={token_usage.total_tokens}>
            {formatCount(token_usage.prompt_tokens)} in{cachedText(job.cost)},{' '}
            {formatCount(token_usage.completion_tokens)} out
          </span>
        </Fact>
        {token_usage.by_model.length > 0 && (
          <Fact label="Cost">
            <span data-usd={job.cost?.usd}>{costText(job.cost)}</span>
          </Fact>
        )}
        {job.budget != null && <Fact label="Budget">{budgetText(job.budget)}</Fact>}
        {batch_id !== null && (
          <Fact label="Batch">
            <Link to="/batches/$id" params={{ id: batch_id }}>
              {batch_id}
            </Link>
          </Fact>
        )}
        {replay_of !== null && (
          <Fact label="Replay of">
            <Link to="/executions/$id" params={{ id: replay_of }}>
              {replay_of.slice(0, 8)}
            </Link>{' '}
            ·{' '}
            <Link to="/compare" search={{ a: replay_of, b: job_id }}>
              compare
            </Link>
          </Fact>
        )}
        <WorkflowFact id={batch_id ?? job_id} />
      </dl>
    </header>
  )
}

/** What of the prompts came from the providers' caches; nothing from a service that counts no costs. */
function cachedText(cost: Schema<'Cost'> | undefined): string {
  const cached = (cost?.by_model ?? []).reduce((sum, model) => sum + model.cached, 0)
  return cached === 0 ? '' : ` (${formatCount(cached)} cached)`
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** How long after the cancel the last of its runs was let go: until then a model or a tool may have been at work. */
function StoppedFact({ job, table }: { job: Schema<'Job'>; table: TraceTable }) {
  const ms = stoppedAfterMs(job, table)
  if (job.completed_at === null) return <Fact label="Stopped">not yet: what is under way is being broken off</Fact>
  return ms === undefined ? null : <Fact label="Stopped spending">{durationText(ms)} after the cancel</Fact>
}

/** Tasks of a batch run inside its workflow. */
function WorkflowFact({ id }: { id: string }) {
  const { data } = useAbout()
  if (data === undefined || data.temporal.ui === null) return null
  const { ui, namespace, workflow_id_prefix } = data.temporal
  const href = `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflow_id_prefix + id)}`
  return (
    <Fact label="Workflow">
      <a href={href} rel="noreferrer" target="_blank">
        in Temporal
      </a>
    </Fact>
  )
}
