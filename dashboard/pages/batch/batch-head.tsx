import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { budgetText, costText, type Schema } from '../../../client/index.ts'
import { useMaySubmit, useRole } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CopyMenu } from '../../parts/copy-menu.tsx'
import { formatCount } from '../../parts/format.ts'
import { Progress } from '../../parts/progress.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration } from '../../parts/time.tsx'
import { paceText, remainingText } from './pace-text.ts'
import type { Rate } from './rate.ts'
import { RelatedBatches } from './related-batches.tsx'
import { ResultsMenu } from './results-menu.tsx'

/** Where a batch is, how fast it goes, and what can be done with it. */
export function BatchHead({ grid, rate }: { grid: Schema<'BatchGrid'>; rate: Rate }) {
  const { batch_id: id, agent_name, status, created_at, completed_at, revived_at, summary } = grid
  const { waiting, running, canceled } = grid
  const ended = completed_at !== null
  const mayDelete = useRole() === 'admin'
  const maySubmit = useMaySubmit()
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{id}</h1>
        <CopyButton text={id} what="the id" />
        <Status status={status} />
        <div className="actions" data-actions>
          {maySubmit && (status === 'running' || status === 'submitted') && (
            <CancelButton id={id} running={running} waiting={waiting} />
          )}
          {maySubmit && status !== 'canceled' && (
            <Link className="button" to="/batches/new" search={{ to: id }}>
              Add tasks
            </Link>
          )}
          <Link className="button" to="/executions" search={{ batch_id: id }}>
            As executions
          </Link>
          <ResultsMenu id={id} summary={summary} />
          <CopyMenu
            path={`/api/batches/${id}`}
            code={`for await (const task of troupe.batches.results('${id}')) …`}
            command={`batch get ${id}`}
          />
          {ended && mayDelete && <DeleteButton id={id} tasks={summary.total_expected} />}
        </div>
      </div>
      <Progress summary={summary} />
      <div className="numbers">
        <Figure label="Ended">
          <span data-recorded={summary.recorded}>{formatCount(summary.recorded)}</span> of{' '}
          {formatCount(summary.total_expected)}
        </Figure>
        <Figure label="Succeeded">{formatCount(summary.succeeded)}</Figure>
        <Figure label="Failed" bad={summary.failed - canceled > 0}>
          {formatCount(summary.failed - canceled)}
        </Figure>
        {canceled > 0 && <Figure label="Canceled">{formatCount(canceled)}</Figure>}
        <Figure label="Running">{formatCount(running)}</Figure>
        <Figure label="Waiting">{formatCount(waiting)}</Figure>
        {grid.cost?.by_model.length !== 0 && <Figure label="Cost">{costText(grid.cost)}</Figure>}
        {grid.budget != null && <Figure label="Budget">{budgetText(grid.budget)}</Figure>}
        {!ended && <Pace rate={rate} />}
      </div>
      <p className="dim">
        {agent_name} · created <Ago at={created_at} /> · {ended ? 'took' : 'for'}{' '}
        <Duration from={created_at} to={completed_at} />
      </p>
      {revived_at !== null && <Revived at={revived_at} ended={ended} />}
      <RelatedBatches grid={grid} />
    </header>
  )
}

function Revived({ at, ended }: { at: string; ended: boolean }) {
  return (
    <p className="note note-calm">
      It had completed before: tasks were added <Ago at={at} />
      {ended ? '.' : ', and it runs again.'}
    </p>
  )
}

function Pace({ rate }: { rate: Rate }) {
  return (
    <>
      <Figure label="Rate, 10 s">{paceText(rate.now)}</Figure>
      <Figure label="Rate, 1 min">{paceText(rate.minute)}</Figure>
      <Figure label="Remaining" bad={rate.stalledSeconds !== undefined}>
        {remainingText(rate)}
      </Figure>
    </>
  )
}

function Figure({ label, bad = false, children }: { label: string; bad?: boolean; children: React.ReactNode }) {
  return (
    <div className={bad ? 'figure figure-bad' : 'figure'}>
      <span className="figure-label">{label}</span>
      <span className="figure-value number">{children}</span>
    </div>
  )
}

function CancelButton({ id, running, waiting }: { id: string; running: number; waiting: number }) {
  const client = useQueryClient()
  async function run(): Promise<string> {
    const { ok, status } = await troupe().batches.cancel(id)
    await client.invalidateQueries({ queryKey: ['batch-grid', id] })
    return ok ? 'The batch is canceled.' : `It had ended before: ${status}.`
  }
  return (
    <ConfirmButton
      label="Cancel"
      title="Cancel this batch?"
      action={`Cancel ${formatCount(running + waiting)} tasks`}
      run={run}
      shortcut="x"
    >
      {formatCount(running)} run and {formatCount(waiting)} wait. What has ended stays as it is; the batch takes no more
      tasks.
    </ConfirmButton>
  )
}

/** Only for a key that may delete. */
function DeleteButton({ id, tasks }: { id: string; tasks: number }) {
  const navigate = useNavigate()
  async function run(): Promise<string> {
    const { deleted } = await troupe().request('delete', '/api/batches/{batch_id}', { path: { batch_id: id } })
    await navigate({ to: '/batches' })
    return `Deleted with ${formatCount(deleted.executions)} tasks and ${formatCount(deleted.traces)} events.`
  }
  return (
    <ConfirmButton label="Delete" title="Delete this batch?" action={`Delete ${formatCount(tasks)} tasks`} run={run}>
      Their traces, their steps and their stored objects go with them. This cannot be taken back.
    </ConfirmButton>
  )
}
