import { asObject, isObject } from './json.ts'
import type { TraceEvent } from './spans.ts'

/** What a timeline needs to know of an event: all but its payload. */
export interface SpanHead {
  /** The agent of task events, the tool, the model, the agent that was delegated to, else the event type. */
  name: string
  /** When it began, in milliseconds since 1970: a call's event is written at its end, so its duration is taken off. */
  startMs: number
  /** Undefined where the event has none. */
  durationMs: number | undefined
  failed: boolean
  /** Of a model call; a task's sums are left out, so that adding up counts each token once. */
  promptTokens: number
  completionTokens: number
}

const FAILED = new Set(['error', 'failed'])

/** The head of an event's span. */
export function spanHead(event: TraceEvent): SpanHead {
  const payload = asObject(JSON.parse(event.payload))
  const { event_type: type } = event
  const durationMs = numberOf(payload.duration_ms)
  const atEnd = type === 'tool_call' || type === 'llm_usage'
  return {
    name: nameOf(event, payload),
    startMs: event.timestamp.getTime() - (atEnd ? (durationMs ?? 0) : 0),
    durationMs: atEnd || type === 'task_complete' ? durationMs : undefined,
    failed: type === 'error' || FAILED.has(String(payload.status)),
    promptTokens: type === 'llm_usage' ? (numberOf(payload.prompt_tokens) ?? 0) : 0,
    completionTokens: type === 'llm_usage' ? (numberOf(payload.completion_tokens) ?? 0) : 0,
  }
}

function nameOf({ event_type: type, agent_name }: TraceEvent, payload: Record<string, unknown>): string {
  const named = {
    tool_call: payload.tool_name,
    llm_usage: payload.model,
    cache_hit: payload.tool_name ?? payload.model,
    delegation: payload.target_agent,
    error: isObject(payload.error) ? type : payload.error,
  }[type]
  if (typeof named === 'string' && named !== '') return named.slice(0, 200).toWellFormed()
  return type.startsWith('task_') ? agent_name : type
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined
}
