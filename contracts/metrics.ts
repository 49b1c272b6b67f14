import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, timestamp } from './fields.ts'

/** Totals over all executions, including deleted ones. */
export const metrics = z
  .object({
    total_jobs: count,
    completed_jobs: count,
    failed_jobs: count,
    avg_latency_ms: z.number().describe('Average over completed executions.'),
    active_agents_count: count,
    tool_calls: count,
    cache_hits: count,
    total_tokens: count,
    timestamp,
  })
  .meta({ id: 'Metrics' })

export type Metrics = z.infer<typeof metrics>

export const getMetrics = defineEndpoint({
  id: 'getMetrics',
  method: 'get',
  path: '/api/metrics',
  tag: 'Metrics',
  summary: 'Gets the totals of the service',
  response: metrics,
})
