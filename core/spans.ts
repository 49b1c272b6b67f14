import { asObject, isObject } from './json.ts'
import { parseJson } from './exact-json.ts'

/** The fields of a stored trace event from which a span is built. */
export interface TraceEvent {
  _id: number
  job_id: string
  agent_name: string
  event_type: string
  parent_id: number | null
  /** JSON text of an object. */
  payload: string
  timestamp: Date
}

/** A trace event as the streams send it. */
export interface Span {
  id: number
  /** The agent for task events, otherwise the tool, the model or the event type. */
  name: string
  type: 'agent' | 'tool' | 'llm' | 'event'
  /** The start as ISO 8601 in UTC. A call's event is written at its end, so the duration is subtracted. */
  start_time: string
  agent: string
  event_type: string
  input: Record<string, unknown>
  output: Record<string, unknown> | null
  /** The rest of the payload, with durations and tokens as numbers, and job_id and parent_id. */
  metadata: Record<string, unknown>
  children: Span[]
}

type Payload = Record<string, unknown>

/** The span fields of an event; `rest` goes into the metadata. */
interface Reading {
  name: unknown
  type: Span['type']
  input?: unknown
  output?: unknown
  rest: Payload
}

/** Types of events that are written at the end and carry a duration. */
const WRITTEN_AT_END = new Set(['tool_call', 'llm_usage'])

/** The span of one event, without children. */
export function spanOf(event: TraceEvent): Span {
  const payload = asObject(parseJson(event.payload))
  const { name, type, input, output, rest } = read(event, payload)
  return {
    id: event._id,
    name: typeof name === 'string' && name !== '' ? name : event.event_type,
    type,
    start_time: startTime(event, payload),
    agent: event.agent_name,
    event_type: event.event_type,
    input: input === undefined || input === null ? {} : asObject(input),
    output: output === undefined || output === null ? null : asObject(output),
    metadata: { ...rest, ...tokens(payload.token_usage), job_id: event.job_id, parent_id: event.parent_id },
    children: [],
  }
}

/**
 * Builds the span tree of events; a parent comes before its children. An event becomes a root if its parent is not
 * among the events.
 */
export function spanTree(events: Iterable<TraceEvent>): Span[] {
  const roots: Span[] = []
  const byId = new Map<number, Span>()
  for (const event of events) {
    const span = spanOf(event)
    byId.set(span.id, span)
    const parent = event.parent_id === null ? undefined : byId.get(event.parent_id)
    ;(parent?.children ?? roots).push(span)
  }
  return roots
}

function read(event: TraceEvent, payload: Payload): Reading {
  switch (event.event_type) {
    case 'task_start': {
      const { inputs, ...rest } = payload
      return { name: event.agent_name, type: 'agent', input: inputs, rest }
    }
    case 'task_complete': {
      const { result, ...rest } = payload
      return { name: event.agent_name, type: 'agent', output: result, rest }
    }
    case 'task_cancel_requested':
      return { name: event.agent_name, type: 'agent', rest: payload }
    case 'tool_call': {
      // `tool` and `params` are aliases of the fields read here.
      const { tool_name: name, parameters: input, result: output, tool: _tool, params: _params, ...rest } = payload
      return { name, type: 'tool', input, output, rest }
    }
    case 'llm_usage': {
      const { model: name, response: output, ...rest } = payload
      return { name, type: 'llm', output, rest }
    }
    case 'cache_hit': {
      const { tool_name: tool, model, parameters: input, ...rest } = payload
      return { name: tool ?? model, type: tool === undefined ? 'llm' : 'tool', input, rest }
    }
    case 'delegation': {
      const { inputs: input, ...rest } = payload
      return { name: event.event_type, type: 'event', input, rest }
    }
    case 'error': {
      const { error, ...rest } = payload
      return { name: event.event_type, type: 'event', output: { error: error ?? null }, rest }
    }
    default:
      return { name: event.event_type, type: 'event', rest: payload }
  }
}

function startTime({ event_type: eventType, timestamp }: TraceEvent, { duration_ms: durationMs }: Payload): string {
  const tookMs = WRITTEN_AT_END.has(eventType) && typeof durationMs === 'number' ? durationMs : 0
  return new Date(timestamp.getTime() - tookMs).toISOString()
}

/** The numeric fields of a token usage object. */
function tokens(usage: unknown): Payload {
  if (!isObject(usage)) return {}
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => typeof count === 'number'))
}
