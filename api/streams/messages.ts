import { byJob } from './by-job.ts'
import { spanOf } from '../../core/spans.ts'
import type { TraceDocument } from '../../store/documents.ts'

/** A trace event as the system events stream needs it: without its payload. */
export type EventHeader = Pick<TraceDocument, '_id' | 'job_id' | 'agent_name' | 'event_type' | 'timestamp'>

/** `traces`: flat spans, those of one job beside each other. */
export function tracesMessage(traces: TraceDocument[]): string {
  const spans = byJob(traces).map(spanOf)
  return JSON.stringify({ type: 'traces', data: { spans, count: spans.length } })
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

function eventMessage({ _id: id, job_id, agent_name, event_type, timestamp }: EventHeader): object {
  return { type: 'trace', data: { id, job_id, agent_name, event_type, timestamp: timestamp.toISOString() } }
}
