import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { costText, type Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CopyMenu } from '../../parts/copy-menu.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Progress } from '../../parts/progress.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration } from '../../parts/time.tsx'
import { notify } from '../../shell/toasts.tsx'
import type { Rate } from './rate.ts'
import { ResultsButton } from './results-button.tsx'

/** Where a batch is, how fast it goes, and what can be done with it. */
export function BatchHead({ grid, rate }: { grid: Schema<'BatchGrid'>; rate: Rate }) {
  const { batch_id: id, agent_name, status, created_at, completed_at, summary, waiting, running, canceled } = grid
  const ended = completed_at !== null
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{id}</h1>
        <CopyButton text={id} what="the id" />
        <Status status={status} />
        <div className="actions">
          {(status === 'running' || status === 'submitted') && (
            <CancelButton id={id} running={running} waiting={waiting} />
          )}
          <Link className="button" to="/executions" search={{ batch_id: id }}>
            As executions
          </Link>
          <ResultsButton id={id} summary={summary} />
          <CopyMenu path={`/api/batches/${id}`} code={`for await (const task of troupe.batches.results('${id}')) …`} />
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
        {grid.cost.by_model.length > 0 && <Figure label="Cost">{costText(grid.cost)}</Figure>}
        {!ended && <Pace rate={rate} />}
      </div>
      <p className="dim">
        {agent_name} · created <Ago at={created_at} /> · {ended ? 'took' : 'for'}{' '}
        <Duration from={created_at} to={completed_at} />
      </p>
    </header>
  )
}

function Pace({ rate: { now, remainingSeconds, stalledSeconds } }: { rate: Rate }) {
  return (
    <>
      <Figure label="Rate, 10 s">{now === undefined ? '–' : `${now.toFixed(now < 10 ? 1 : 0)} /s`}</Figure>
      <Figure label="Remaining" bad={stalledSeconds !== undefined}>
        {stalledSeconds !== undefined
          ? `stalled for ${Math.floor(stalledSeconds)} s`
          : remainingSeconds === undefined
            ? '–'
            : `about ${formatDuration(Math.ceil(remainingSeconds) * 1_000)}`}
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
  const [asked, setAsked] = useState(false)
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => troupe().batches.cancel(id),
    onSuccess: ({ ok, status }) => notify(ok ? 'The batch is canceled.' : `It had ended before: ${status}.`),
    onError: (error) => notify(error.message),
    onSettled: async () => {
      setAsked(false)
      await client.invalidateQueries({ queryKey: ['batch-grid', id] })
    },
  })
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        Cancel
      </button>
      {asked && (
        <Confirm
          title="Cancel this batch?"
          action={`Cancel ${formatCount(running + waiting)} tasks`}
          busy={cancel.isPending}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsked(false)}
        >
          {formatCount(running)} run and {formatCount(waiting)} wait. What has ended stays as it is; the batch takes no
          more tasks.
        </Confirm>
      )}
    </>
  )
}
