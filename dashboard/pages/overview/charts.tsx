import { durationText } from '../../../client/index.ts'
import type { Schema } from '../../../client/index.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { Chart } from '../../parts/chart.tsx'
import { formatClock, formatCount } from '../../parts/format.ts'

interface Series {
  points: Schema<'MetricsPoint'>[]
}

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
