import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, integerQuery, timestamp } from './fields.ts'
import { eventType } from './traces.ts'

const MAX_EVENTS = 200_000
/** The largest number of 15 digits, which is what a query accepts. The OpenAPI document omits the largest safe integer as a bound. */
const MAX_AFTER = 999_999_999_999_999

const numbers = z.array(z.int())

const traceOutline = z
  .object({
    job_id: z.string(),
    start_time: timestamp.nullable().describe('The reference time of `columns.start`; null when there are no events.'),
    names: z.array(z.string()).describe('Names; `columns.name` and `columns.agent` contain indexes into this array.'),
    event_types: z.array(eventType).describe('Event types; `columns.type` contains indexes into this array.'),
    columns: z
      .object({
        id: numbers,
        parent: numbers.describe('Id of the parent event, or 0.'),
        name: numbers,
        agent: numbers,
        type: numbers,
        start: numbers.describe('Milliseconds from `start_time` to the start of the event.'),
        duration: numbers.describe('Milliseconds; -1 for events without a duration.'),
        failed: numbers.describe('1 for errors and failed calls or tasks, otherwise 0.'),
        prompt_tokens: numbers,
        completion_tokens: numbers,
      })
      .describe('Each column has one entry per event, in the order of event ids.'),
    count: count.describe('Number of events in this response.'),
    next_after: z.int().nullable().describe('Pass this as `after` to get further events; null when there are none.'),
  })
  .meta({ id: 'TraceOutline' })

export type TraceOutline = z.infer<typeof traceOutline>

export const getTraceOutline = defineEndpoint({
  id: 'getTraceOutline',
  method: 'get',
  path: '/api/traces/outline',
  tag: 'Traces',
  summary: 'Gets all events of an execution as columns, without payloads',
  description:
    'A compact form for large traces: 100,000 events take a few hundred kilobytes. Get payloads from `/api/traces/{trace_id}`.',
  query: z.object({
    job_id: z.string().min(1).describe('The execution.'),
    after: integerQuery({
      minimum: 0,
      maximum: MAX_AFTER,
      fallback: 0,
      description: 'Only events with an id greater than this.',
    }),
    limit: integerQuery({
      minimum: 1,
      maximum: MAX_EVENTS,
      fallback: MAX_EVENTS,
      description: 'Maximum number of events to return.',
    }),
  }),
  response: traceOutline,
  errors: [404],
})
