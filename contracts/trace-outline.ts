import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, integerQuery, timestamp } from './fields.ts'
import { eventType } from './traces.ts'

const MAX_EVENTS = 200_000
/** What a query's digits can say: the schema of a number up to the largest safe one would name no bound at all. */
const MAX_AFTER = 999_999_999_999_999

const numbers = z.array(z.int())

const traceOutline = z
  .object({
    job_id: z.string(),
    start_time: timestamp.nullable().describe('What the starts count from; null when there is no event.'),
    names: z.array(z.string()).describe('The names that `columns.name` and `columns.agent` point into.'),
    event_types: z.array(eventType).describe('The event types that `columns.type` points into.'),
    columns: z
      .object({
        id: numbers,
        parent: numbers.describe('Id of the parent event; 0 for none.'),
        name: numbers,
        agent: numbers,
        type: numbers,
        start: numbers.describe('Milliseconds from start_time to its beginning.'),
        duration: numbers.describe('Milliseconds; -1 where the event has none.'),
        failed: numbers.describe('1 for errors and for calls and tasks that failed, else 0.'),
        prompt_tokens: numbers,
        completion_tokens: numbers,
      })
      .describe('One entry an event in each, in the order of their ids.'),
    count: count.describe('Events in this answer.'),
    next_after: z.int().nullable().describe('Give it as `after` to go on; null when there was no more.'),
  })
  .meta({ id: 'TraceOutline' })

export type TraceOutline = z.infer<typeof traceOutline>

export const getTraceOutline = defineEndpoint({
  id: 'getTraceOutline',
  method: 'get',
  path: '/api/traces/outline',
  tag: 'Traces',
  summary: 'Gives all events of an execution as columns, without their payloads',
  description:
    'A trace of 100,000 events in one answer of some hundred kilobytes. Payloads come from `/api/traces/{trace_id}`.',
  query: z.object({
    job_id: z.string().min(1).describe('The execution.'),
    after: integerQuery({
      minimum: 0,
      maximum: MAX_AFTER,
      fallback: 0,
      description: 'Only events with a higher id.',
    }),
    limit: integerQuery({
      minimum: 1,
      maximum: MAX_EVENTS,
      fallback: MAX_EVENTS,
      description: 'How many events to give at most.',
    }),
  }),
  answer: traceOutline,
  errors: [404],
})
