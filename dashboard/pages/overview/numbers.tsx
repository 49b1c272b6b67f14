import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { durationText, costText, type Schema } from '../../../client/index.ts'
import type { useJobs, useMetrics, useSeries } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'

interface NumbersProps {
  metrics: ReturnType<typeof useMetrics>
  series: ReturnType<typeof useSeries>
  running: ReturnType<typeof useJobs>
  window: string
}

/** The numbers that matter, each as the service gives it. */
export function Numbers({ metrics, series, running, window }: NumbersProps) {
  const total = series.data?.total
  const jobs = running.data
  return (
    <div className="numbers" data-stale={metrics.failureReason !== null || undefined}>
      <Figure label="Running now" to={{ status: 'running' }}>
        {jobs && `${formatCount(jobs.jobs.length)}${jobs.next_cursor === null ? '' : '+'}`}
      </Figure>
      <Figure label={`Completed, ${window}`} to={{ status: 'completed' }}>
        {total && formatCount(total.completed)}
      </Figure>
      <Figure label={`Failed, ${window}`} to={{ status: 'failed' }} bad={(total?.failed ?? 0) > 0}>
        {total && formatCount(total.failed)}
      </Figure>
      <Figure label={`Median, ${window}`}>{total && (total.p50_ms === null ? '–' : durationText(total.p50_ms))}</Figure>
      <Figure label={`p95, ${window}`}>{total && (total.p95_ms === null ? '–' : durationText(total.p95_ms))}</Figure>
      <Figure label={`Tokens, ${window}`}>
        {total && formatCount(total.tokens.reduce((sum, { total_tokens }) => sum + total_tokens, 0))}
      </Figure>
      <Figure label={`Cost, ${window}`}>{total && <Cost of={total} />}</Figure>
      <Figure label="Active agents">{metrics.data && formatCount(metrics.data.active_agents_count)}</Figure>
      <Figure label="Ever submitted">
        {metrics.data && <span data-total-jobs={metrics.data.total_jobs}>{formatCount(metrics.data.total_jobs)}</span>}
      </Figure>
    </div>
  )
}

/** What no model was called for costs nothing; what a service that counts no costs did, nobody knows. */
function Cost({ of: { tokens, cost } }: { of: Pick<Schema<'MetricsPoint'>, 'tokens' | 'cost'> }) {
  return (
    <span className="figure-words" data-usd={cost?.usd}>
      {tokens.length === 0 ? '–' : costText(cost)}
    </span>
  )
}

interface FigureProps {
  label: string
  children: ReactNode
  to?: { status: 'running' | 'completed' | 'failed' }
  bad?: boolean
}

function Figure({ label, children, to, bad = false }: FigureProps) {
  const content = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-value number">{children ?? <span className="skeleton-line" />}</span>
    </>
  )
  const className = bad ? 'figure figure-bad' : 'figure'
  return to === undefined ? (
    <div className={className}>{content}</div>
  ) : (
    <Link className={className} to="/executions" search={to}>
      {content}
    </Link>
  )
}
