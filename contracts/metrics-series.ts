import { z } from 'zod'
import { cost } from './cost.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, integerQuery, timestamp } from './fields.ts'
import { modelUsage } from './token-usage.ts'

const DAY_MINUTES = 1_440

const point = z
  .object({
    at: timestamp.describe('The beginning of the interval.'),
    created: count,
    completed: count,
    failed: count,
    canceled: count,
    p50_ms: z.number().nullable().describe('Of completed executions, from submission to end; null without any.'),
    p95_ms: z.number().nullable(),
    tokens: z.array(modelUsage),
    cost,
  })
  .meta({ id: 'MetricsPoint' })

const metricsSeries = z
  .object({
    minutes: count,
    step: count.describe('Minutes of an interval.'),
    now: timestamp,
    points: z.array(point).describe('Oldest first, without gaps; the last one is not over yet.'),
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
  summary: 'Gives what was created, ended and spent, by intervals',
  description:
    'Counts, tokens and costs are exact; they are kept for seven days. Percentiles come from a histogram whose buckets are 10 % wide, so they are off by at most 5 %.',
  query: z.object({
    minutes: integerQuery({
      minimum: 1,
      maximum: 7 * DAY_MINUTES,
      fallback: 60,
      description: 'How far to look back.',
    }),
    step: integerQuery({ minimum: 1, maximum: DAY_MINUTES, fallback: 1, description: 'Minutes of an interval.' }),
  }),
  answer: metricsSeries,
})
