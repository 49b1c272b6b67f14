import { spanOf, type Span } from '../../core/spans.ts'
import type { PartialDocument, TraceDocument } from '../../store/documents.ts'

/** A trace event as the system events stream needs it: without its payload. */
export type EventHeader = Pick<TraceDocument, '_id' | 'job_id' | 'agent_name' | 'event_type' | 'timestamp'>

/** `traces`: flat spans, those of one job beside each other. */
export function tracesMessage(traces: TraceDocument[]): string {
  const spans = byJob(traces).map(spanOf)
  return JSON.stringify({ type: 'traces', data: { spans, count: spans.length } })
}

/** The same without what the payloads hold beside numbers and short texts; whoever wants one asks for it by its id. */
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
 * `delta`: a piece of an answer that is being written.
 * @param reset - an earlier attempt at the step was shown: its text begins anew.
 */
export function deltaMessage(partial: PartialDocument, reset: boolean): string {
  const { job_id, agent_name, step, attempt, offset, kind, text } = partial
  const data = { job_id, agent_name, step, attempt, offset, kind, text, ...(reset && { reset }) }
  return JSON.stringify({ type: 'delta', data })
}

/** `trace` for one event, `batch` for several. */
export function eventsMessage(traces: EventHeader[]): string {
  const events = traces.map(eventMessage)
  return JSON.stringify(events.length === 1 ? events[0] : { type: 'batch', events })
}

/** What a client is told before its stream is closed because it cannot be given what it asked for. */
export function errorMessage(sentence: string): string {
  return JSON.stringify({ type: 'error', data: { error: sentence } })
}

/** Events in their order, but those of one job beside each other; the job that comes first leads. */
function byJob(events: TraceDocument[]): TraceDocument[] {
  return [...Map.groupBy(events, ({ job_id }) => job_id).values()].flat()
}

function eventMessage({ _id: id, job_id, agent_name, event_type, timestamp }: EventHeader): object {
  return { type: 'trace', data: { id, job_id, agent_name, event_type, timestamp: timestamp.toISOString() } }
}
