import type { Metrics } from '../../contracts/metrics.ts'
import { activeAgents } from '../../store/registry/agents.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { CounterDocument } from '../../store/documents.ts'

/** The number of existing executions. Reads running sums, so the cost is constant. */
export async function totalExecutions({ counters }: Store): Promise<number> {
  const found = await counters.find({}, { projection: { submitted: 1, deleted: 1 } }).toArray()
  return sumOf(found, 'submitted') - sumOf(found, 'deleted')
}

type Counted = Exclude<keyof CounterDocument, '_id' | 'agents' | 'minutes'>

/** Adds up a sum that is spread over several documents to avoid write contention. */
function sumOf(counters: Pick<CounterDocument, Counted>[], field: Counted): number {
  return counters.reduce((sum, counter) => sum + (counter[field] ?? 0), 0)
}

/** The totals of the service. Reads running sums, so the cost is constant. */
export async function readMetrics(store: Store, now: Date): Promise<Metrics> {
  const [counters, active] = await Promise.all([
    store.counters.find({}, { projection: { agents: 0, minutes: 0 } }).toArray(),
    activeAgents(store, now),
  ])
  const completed = sumOf(counters, 'completed_jobs')
  return {
    total_jobs: sumOf(counters, 'submitted'),
    completed_jobs: completed,
    failed_jobs: sumOf(counters, 'failed_jobs'),
    avg_latency_ms: completed === 0 ? 0 : sumOf(counters, 'latency_ms_total') / completed,
    active_agents_count: active.length,
    tool_calls: sumOf(counters, 'tool_calls'),
    cache_hits: sumOf(counters, 'cache_hits'),
    total_tokens: sumOf(counters, 'total_tokens'),
    timestamp: now.toISOString(),
  }
}
