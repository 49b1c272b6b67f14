import { z } from 'zod'
import { count, jsonObject, timestamp } from './fields.ts'
import { logEntry } from './containers.ts'
import { eventType } from './traces.ts'

/** A trace event as streams show it. */
const span = z
  .object({
    id: z.int(),
    name: z.string().describe('The agent of task events, the tool, the model, else the event type.'),
    type: z.enum(['agent', 'tool', 'llm', 'event']),
    start_time: timestamp,
    agent: z.string(),
    event_type: eventType,
    input: jsonObject,
    output: jsonObject.nullable(),
    metadata: jsonObject,
    get children() {
      return z.array(span)
    },
  })
  .meta({ id: 'Span' })

/** Prompt and batch streams: events, in the order of their ids. */
const tracesMessage = z
  .object({ type: z.literal('traces'), data: z.object({ spans: z.array(span), count }) })
  .meta({ id: 'TracesMessage' })

/** Prompt and batch streams: the end, with the whole tree of spans. */
const completeMessage = z
  .object({
    type: z.literal('complete'),
    data: z.object({
      status: z.string(),
      outputs: jsonObject,
      error: z.string().nullable(),
      spans: z.array(span),
      truncated: z.literal(true).optional().describe('Only when a very large batch was cut off.'),
    }),
  })
  .meta({ id: 'CompleteMessage' })

/** Prompt and batch streams with `deltas=true`: a piece of an answer that a model is writing. */
const deltaMessage = z
  .object({
    type: z.literal('delta'),
    data: z.object({
      job_id: z.string(),
      agent_name: z.string(),
      step: z.string().describe('The model call within its execution.'),
      attempt: z.int().describe('Grows with each attempt at the call: a later one begins its text anew.'),
      offset: count.describe(
        'Characters (UTF-16) before this piece, of all kinds; what was seen before may come again.',
      ),
      kind: z.enum(['text', 'reasoning', 'tool_input']),
      text: z.string(),
      reset: z.literal(true).optional().describe('An earlier attempt was shown: forget its text.'),
    }),
  })
  .meta({ id: 'DeltaMessage' })

export const logMessage = z.object({ type: z.literal('log'), data: logEntry }).meta({ id: 'LogMessage' })

const traceMessage = z
  .object({
    type: z.literal('trace'),
    data: z.object({ id: z.int(), job_id: z.string(), agent_name: z.string(), event_type: eventType, timestamp }),
  })
  .meta({ id: 'TraceMessage' })

/** System events of the same moment. */
const batchMessage = z.object({ type: z.literal('batch'), events: z.array(traceMessage) }).meta({ id: 'BatchMessage' })

/** What cannot be followed; the stream closes with 1000 after it. */
export const errorMessage = z
  .object({ type: z.literal('error'), data: z.object({ error: z.string() }) })
  .meta({ id: 'ErrorMessage' })

const payload = '`none` leaves out inputs and outputs, and the spans of `complete`.'
const deltas = '`true` also sends answers while they are written; the event `llm_usage` of a call ends its deltas.'
const ticket = 'One of `POST /api/stream-tickets`, instead of the key.'

/** The WebSocket streams, as /docs describes them. */
export const streams = [
  {
    path: '/ws/prompts/{prompt_id}',
    summary: 'Live trace events of one execution',
    query: { after: 'A trace id: skips the events up to it.', payload, deltas, ticket },
    messages: [tracesMessage, deltaMessage, completeMessage, errorMessage],
  },
  {
    path: '/ws/batches/{batch_id}',
    summary: 'Live trace events of all tasks of a batch',
    query: { after: 'A trace id: skips the events up to it.', payload, deltas, ticket },
    messages: [tracesMessage, deltaMessage, completeMessage, errorMessage],
  },
  {
    path: '/ws/logs/{container_name}',
    summary: 'A live container log',
    query: {
      tail: 'How many of the last lines to begin with (100).',
      since: 'Begin at a duration or time instead.',
      ticket,
    },
    messages: [logMessage, errorMessage],
  },
  {
    path: '/ws/events',
    summary: 'Live system events, throttled',
    query: { after: 'A trace id: begins after it instead of now.', ticket },
    messages: [traceMessage, batchMessage],
  },
] as const
