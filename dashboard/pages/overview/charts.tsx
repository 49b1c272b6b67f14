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
}

/** How the models that used most are drawn; all others together are the rest. */
const MODEL_SHAPES = ['first', 'second', 'third']

/** What ended, stacked by how. */
export function ThroughputChart({ series }: { series: Series }) {
  const { zone } = useStore(preferences)
  return (
    <Chart
      kind="stacked"
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
export function TokensChart({ series: { points, total } }: { series: Series }) {
  const { zone } = useStore(preferences)
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
  return <Chart kind="stacked" labels={labels} format={formatCount} lines={lines} />
}

/** How long completed executions took. */
export function LatencyChart({ series }: { series: Series }) {
  const { zone } = useStore(preferences)
  return (
    <Chart
      kind="lines"
      labels={series.points.map(({ at }) => formatClock(at, zone).slice(0, 5))}
      format={durationText}
      lines={[
        { name: 'p95', shape: 'second', values: series.points.map(({ p95_ms }) => p95_ms) },
        { name: 'median', shape: 'first', values: series.points.map(({ p50_ms }) => p50_ms) },
      ]}
    />
  )
}
