import { z } from 'zod'
import { EVENT_TYPES } from '../core/execution.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, filterQuery, jsonObject, listQuery, nextCursor, timestamp } from './fields.ts'

export const eventType = z.enum(EVENT_TYPES).meta({ id: 'EventType' })

export const trace = z
  .object({
    id: z.int(),
    job_id: z.string(),
    agent_name: z.string(),
    event_type: eventType,
    parent_id: z.int().nullable().describe('Id of the parent trace event.'),
    payload: jsonObject.describe(
      'The fields depend on event_type. In lists, large values are replaced by `{offloaded: true, pointer}`.',
    ),
    timestamp,
  })
  .meta({ id: 'Trace' })

const traceGroup = z
  .object({
    job_id: z.string(),
    trace_count: count,
    agents: z.array(z.string()),
    start_time: timestamp,
    end_time: timestamp,
    traces: z.array(trace),
  })
  .meta({ id: 'TraceGroup' })

const traceList = z.object({ traces: z.array(trace), next_cursor: nextCursor })
export const groupedTraces = z.object({ grouped_traces: z.array(traceGroup), next_cursor: nextCursor })

export type Trace = z.infer<typeof trace>
export type TraceGroup = z.infer<typeof traceGroup>

const tag = 'Traces'

export const listTraces = defineEndpoint({
  id: 'listTraces',
  method: 'get',
  path: '/api/traces',
  tag,
  summary: 'Lists trace events',
  description: 'Oldest first with `job_id`, otherwise newest first.',
  query: listQuery(100, 'events', {
    job_id: filterQuery('Only events of this execution.'),
    agent_name: filterQuery('Only events of this agent.'),
  }),
  response: traceList,
})

export const listGroupedTraces = defineEndpoint({
  id: 'listGroupedTraces',
  method: 'get',
  path: '/api/traces/grouped',
  tag,
  summary: 'Lists executions by their latest event, each with all of its events',
  query: listQuery(50, 'job groups'),
  response: groupedTraces,
})

export const getTrace = defineEndpoint({
  id: 'getTrace',
  method: 'get',
  path: '/api/traces/{trace_id}',
  tag,
  summary: 'Gets one trace event with its full payload',
  parameters: { trace_id: 'The integer id of the event.' },
  response: trace,
  errors: [404, 502],
})
