import type { MetricsPoint, MetricsSeries } from '../../contracts/metrics-series.ts'
import { BUCKETS, costView, type StoredSpending } from '../../core/cost.ts'
import { latencyPercentile } from '../../core/latency-histogram.ts'
import { tokenUsage } from '../../core/usage.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { readMinutes, type SeriesDocument } from '../../store/ledger/series.ts'

const MINUTE_MS = 60_000
const NUMBERS = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'calls'] as const
/** Default for data of versions that did not record costs. */
const COSTS = [...BUCKETS, 'nano_usd', 'priced', 'estimated'] as const

/** Reads the metrics of the last minutes per interval. The cost does not depend on the number of executions. */
export async function readSeries(store: Store, minutes: number, step: number, now: Date): Promise<MetricsSeries> {
  const stepMs = step * MINUTE_MS
  const last = Math.floor(now.getTime() / stepMs) * stepMs
  const intervals = Math.max(1, Math.ceil(minutes / step))
  const first = last - (intervals - 1) * stepMs
  const found = await readMinutes(store, new Date(first))
  const byInterval = Map.groupBy(found, ({ at }) => Math.floor((at.getTime() - first) / stepMs))
  const points = Array.from({ length: intervals }, (_, index) =>
    pointOf(new Date(first + index * stepMs), byInterval.get(index) ?? []),
  )
  return { minutes, step, now: now.toISOString(), points, total: pointOf(new Date(first), found) }
}

function pointOf(at: Date, documents: SeriesDocument[]): MetricsPoint {
  const sum = (field: 'created' | 'completed' | 'failed' | 'canceled'): number =>
    documents.reduce((total, document) => total + (document[field] ?? 0), 0)
  const latency = new Map<number, number>()
  for (const document of documents) {
    for (const [bucket, count] of Object.entries(document.latency ?? {})) {
      latency.set(Number(bucket), (latency.get(Number(bucket)) ?? 0) + count)
    }
  }
  const usage = usageOf(documents)
  return {
    at: at.toISOString(),
    created: Math.max(0, sum('created')),
    completed: sum('completed'),
    failed: sum('failed'),
    canceled: sum('canceled'),
    p50_ms: latencyPercentile(latency, 0.5),
    p95_ms: latencyPercentile(latency, 0.95),
    tokens: tokenUsage(usage).by_model,
    cost: costView(usage),
  }
}

function usageOf(documents: SeriesDocument[]): Record<string, StoredSpending> {
  const sums: Record<string, StoredSpending> = {}
  for (const [field, usage] of documents.flatMap(({ usage = {} }) => Object.entries(usage))) {
    const sum = sums[field]
    if (sum === undefined) {
      sums[field] = { ...usage }
      continue
    }
    for (const name of NUMBERS) sum[name] += usage[name]
    for (const name of COSTS) sum[name] = (sum[name] ?? 0) + (usage[name] ?? 0)
  }
  return sums
}
