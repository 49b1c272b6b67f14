import { z } from 'zod'
import { cost } from './cost.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, integerQuery, timestamp } from './fields.ts'
import { modelUsage } from './token-usage.ts'

const DAY_MINUTES = 1_440

const point = z
  .object({
    at: timestamp.describe('Start of the interval.'),
    created: count,
    completed: count,
    failed: count,
    canceled: count,
    p50_ms: z
      .number()
      .nullable()
      .describe('Median duration of completed executions from submission to end; null when there are none.'),
    p95_ms: z.number().nullable().describe('95th percentile of the same durations.'),
    tokens: z.array(modelUsage),
    cost,
  })
  .meta({ id: 'MetricsPoint' })

const metricsSeries = z
  .object({
    minutes: count,
    step: count.describe('Length of an interval in minutes.'),
    now: timestamp,
    points: z.array(point).describe('Oldest first, without gaps; the last interval is still in progress.'),
    total: point,
  })
  .meta({ id: 'MetricsSeries' })

export type MetricsSeries = z.infer<typeof metricsSeries>
export type MetricsPoint = z.infer<typeof point>

export const getMetricsSeries = defineEndpoint({
  id: 'getMetricsSeries',
  method: 'get',
  path: '/api/metrics/series',
  tag: 'Metrics',
  summary: 'Gets counts, durations, tokens and costs of executions per interval',
  description:
    'Counts, tokens and costs are exact. Percentiles come from a histogram with buckets 10 % wide, so their error is at most 5 %. The data is kept for seven days.',
  query: z.object({
    minutes: integerQuery({
      minimum: 1,
      maximum: 7 * DAY_MINUTES,
      fallback: 60,
      description: 'Length of the period before now, in minutes.',
    }),
    step: integerQuery({
      minimum: 1,
      maximum: DAY_MINUTES,
      fallback: 1,
      description: 'Length of an interval in minutes.',
    }),
  }),
  response: metricsSeries,
})
