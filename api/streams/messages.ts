import { spanOf, type Span } from '../../core/spans.ts'
import type { PartialDocument, TraceDocument } from '../../store/documents.ts'

/** A trace event without its payload, for the system events stream. */
export type EventHeader = Pick<TraceDocument, '_id' | 'job_id' | 'agent_name' | 'event_type' | 'timestamp'>

/** Builds `traces`: flat spans, grouped by job. */
export function tracesMessage(traces: TraceDocument[]): string {
  const spans = byJob(traces).map(spanOf)
  return JSON.stringify({ type: 'traces', data: { spans, count: spans.length } })
}

/** The same, but payloads contain only numbers and short strings; clients can get the full payload by the event's id. */
export function outlineMessage(traces: TraceDocument[]): string {
  const spans = byJob(traces).map((trace) => ({ ...spanOf(trace), input: {}, output: null }))
  return JSON.stringify({ type: 'traces', data: { spans: spans.map(withSmallMetadata), count: spans.length } })
}

const SMALL_CHARACTERS = 200

function withSmallMetadata(span: Span): Span {
  const small = Object.entries(span.metadata).filter(
    ([, value]) => value === null || (typeof value !== 'object' && String(value).length <= SMALL_CHARACTERS),
  )
  return { ...span, metadata: Object.fromEntries(small) }
}

/**
 * Builds `delta`: a part of the text that a model is generating.
 * @param reset - tells the client to discard the text of an earlier attempt.
 */
export function deltaMessage(partial: PartialDocument, reset: boolean): string {
  const { job_id, agent_name, step, attempt, offset, kind, text } = partial
  const data = { job_id, agent_name, step, attempt, offset, kind, text, ...(reset && { reset }) }
  return JSON.stringify({ type: 'delta', data })
}

/** Builds `trace` for one event, or `batch` for several. */
export function eventsMessage(traces: EventHeader[]): string {
  const events = traces.map(eventMessage)
  return JSON.stringify(events.length === 1 ? events[0] : { type: 'batch', events })
}

/** Builds `error`, the last message of a stream that cannot be served. */
export function errorMessage(sentence: string): string {
  return JSON.stringify({ type: 'error', data: { error: sentence } })
}

/** Groups events by job, in the order of the first event of each job. */
function byJob(events: TraceDocument[]): TraceDocument[] {
  return [...Map.groupBy(events, ({ job_id }) => job_id).values()].flat()
}

function eventMessage({ _id: id, job_id, agent_name, event_type, timestamp }: EventHeader): object {
  return { type: 'trace', data: { id, job_id, agent_name, event_type, timestamp: timestamp.toISOString() } }
}
