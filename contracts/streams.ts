import { z } from 'zod'
import { count, jsonObject, timestamp } from './fields.ts'
import { logEntry } from './containers.ts'
import { eventType } from './traces.ts'

/** A trace event in a stream. */
const span = z
  .object({
    id: z.int(),
    name: z.string().describe('The agent for task events, the tool or the model for calls, otherwise the event type.'),
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

/** Prompt and batch streams: the final message, with the whole tree of spans. */
const completeMessage = z
  .object({
    type: z.literal('complete'),
    data: z.object({
      status: z.string(),
      outputs: jsonObject,
      error: z.string().nullable(),
      spans: z.array(span),
      truncated: z.literal(true).optional().describe('Present when the spans of a very large batch are incomplete.'),
    }),
  })
  .meta({ id: 'CompleteMessage' })

/** Prompt and batch streams with `deltas=true`: a part of the text that a model is generating. */
const deltaMessage = z
  .object({
    type: z.literal('delta'),
    data: z.object({
      job_id: z.string(),
      agent_name: z.string(),
      step: z.string().describe('Identifies the model call within its execution.'),
      attempt: z.int().describe('Increases with each attempt at the call; each attempt starts its text again.'),
      offset: count.describe(
        'Number of UTF-16 characters of all kinds before this part. Parts may overlap with earlier ones.',
      ),
      kind: z.enum(['text', 'reasoning', 'tool_input']),
      text: z.string(),
      reset: z
        .literal(true)
        .optional()
        .describe('Present when a new attempt starts: discard the text of the earlier attempt.'),
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

/** System events that are sent together. */
const batchMessage = z.object({ type: z.literal('batch'), events: z.array(traceMessage) }).meta({ id: 'BatchMessage' })

/** The stream cannot continue; it closes with code 1000 after this message. */
export const errorMessage = z
  .object({ type: z.literal('error'), data: z.object({ error: z.string() }) })
  .meta({ id: 'ErrorMessage' })

const payload = '`none` omits inputs, outputs and the spans of `complete`.'
const deltas = '`true` also sends model output while it is generated; the event `llm_usage` of a call ends its deltas.'
const ticket = 'A ticket from `POST /api/stream-tickets`, instead of a key.'

/** The WebSocket streams for /docs. */
export const streams = [
  {
    path: '/ws/prompts/{prompt_id}',
    summary: 'Live trace events of one execution',
    query: { after: 'A trace id; sends only later events.', payload, deltas, ticket },
    messages: [tracesMessage, deltaMessage, completeMessage, errorMessage],
  },
  {
    path: '/ws/batches/{batch_id}',
    summary: 'Live trace events of all tasks of a batch',
    query: { after: 'A trace id; sends only later events.', payload, deltas, ticket },
    messages: [tracesMessage, deltaMessage, completeMessage, errorMessage],
  },
  {
    path: '/ws/logs/{container_name}',
    summary: 'A live container log',
    query: {
      tail: 'Number of last lines to send first (default 100).',
      since: 'A duration before now or a time at which to start instead.',
      ticket,
    },
    messages: [logMessage, errorMessage],
  },
  {
    path: '/ws/events',
    summary: 'Live system events, throttled',
    query: { after: 'A trace id; starts after it instead of now.', ticket },
    messages: [traceMessage, batchMessage],
  },
] as const
