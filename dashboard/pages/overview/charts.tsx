import { useNavigate } from '@tanstack/react-router'
import { durationText } from '../../../client/index.ts'
import type { Schema } from '../../../client/index.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { Chart } from '../../parts/chart.tsx'
import { formatClock, formatCount } from '../../parts/format.ts'
import { nameOf } from '../../parts/token-table.tsx'

interface Series {
  points: Schema<'MetricsPoint'>[]
  total: Schema<'MetricsPoint'>
  /** Minutes of a point. */
  step: number
}

const MINUTE_MS = 60_000

/** Leads from times of a chart to the executions that were submitted in them. */
function useSubmittedIn({ points, step }: Series): (first: number, last: number) => void {
  const navigate = useNavigate()
  return (first, last) => {
    const [since, end] = [points[first]?.at, points[last]?.at]
    if (since === undefined || end === undefined) return
    const until = new Date(Date.parse(end) + step * MINUTE_MS).toISOString()
    void navigate({ to: '/executions', search: { since: withoutMs(since), until: withoutMs(until) } })
  }
}

/** How the models that used most are drawn; all others together are the rest. */
const MODEL_SHAPES = ['first', 'second', 'third']

/** Points are whole minutes. */
function withoutMs(iso: string): string {
  return iso.replace('.000Z', 'Z')
}

/** What ended, stacked by how. */
export function ThroughputChart({ series }: { series: Series }) {
  const { zone } = useStore(preferences)
  const onSelect = useSubmittedIn(series)
  return (
    <Chart
      kind="stacked"
      onSelect={onSelect}
      labels={series.points.map(({ at }) => formatClock(at, zone).slice(0, 5))}
      format={formatCount}
      lines={[
        { name: 'completed', shape: 'completed', values: series.points.map(({ completed }) => completed) },
        { name: 'failed', shape: 'failed', values: series.points.map(({ failed }) => failed) },
        { name: 'canceled', shape: 'canceled', values: series.points.map(({ canceled }) => canceled) },
      ]}
    />
  )
}

/** What models used, stacked by model. */
export function TokensChart({ series }: { series: Series }) {
  const { points, total } = series
  const { zone } = useStore(preferences)
  const onSelect = useSubmittedIn(series)
  const names = total.tokens.toSorted((one, other) => other.total_tokens - one.total_tokens).map(nameOf)
  const rest = names.slice(MODEL_SHAPES.length)
  const groups = [...names.slice(0, MODEL_SHAPES.length).map((name) => [name]), ...(rest.length > 0 ? [rest] : [])]
  const lines = groups.map((models, index) => ({
    name: models.length === 1 ? String(models[0]) : 'others',
    shape: MODEL_SHAPES[index] ?? 'rest',
    values: points.map(({ tokens }) =>
      tokens.reduce((sum, used) => sum + (models.includes(nameOf(used)) ? used.total_tokens : 0), 0),
    ),
  }))
  const labels = points.map(({ at }) => formatClock(at, zone).slice(0, 5))
  return <Chart kind="stacked" labels={labels} format={formatCount} lines={lines} onSelect={onSelect} />
}

/** How long completed executions took. */
export function LatencyChart({ series }: { series: Series }) {
  const { zone } = useStore(preferences)
  const onSelect = useSubmittedIn(series)
  return (
    <Chart
      kind="lines"
      onSelect={onSelect}
      labels={series.points.map(({ at }) => formatClock(at, zone).slice(0, 5))}
      format={durationText}
      lines={[
        { name: 'p95', shape: 'second', values: series.points.map(({ p95_ms }) => p95_ms) },
        { name: 'median', shape: 'first', values: series.points.map(({ p50_ms }) => p50_ms) },
      ]}
    />
  )
}
