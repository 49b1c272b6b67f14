import { asObject, isObject } from './json.ts'
import type { TraceEvent } from './spans.ts'

/** The fields of an event that a timeline needs: everything but the payload. */
export interface SpanHead {
  /** The agent for task events, otherwise the tool, the model, the delegated agent or the event type. */
  name: string
  /** The start in milliseconds since 1970. A call's event is written at its end, so the duration is subtracted. */
  startMs: number
  /** Undefined if the event has no duration. */
  durationMs: number | undefined
  failed: boolean
  /** Tokens of a model call. The sums of a task are left out, so that a total counts each token once. */
  promptTokens: number
  completionTokens: number
}

const FAILED = new Set(['error', 'failed'])

/** The span head of an event. */
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
