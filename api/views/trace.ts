import type { Trace, TraceGroup } from '../../contracts/traces.ts'
import { isObject } from '../../core/json.ts'
import type { Pointer, TraceDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonArray, jsonLater, jsonObject, JsonText } from '../http/json-text.ts'
import { contentText } from './content-text.ts'
import { parseJson } from '../../core/exact-json.ts'

/** Trace events for lists, separated by commas; large values in payloads are pointers. */
export function traceViews(traces: TraceDocument[]): JsonText {
  return new JsonText(traces.map(traceText).join(','))
}

/** Builds JSON by string concatenation for speed, because responses contain hundreds of events. */
function traceText({ _id, job_id, agent_name, event_type, parent_id, timestamp: at, payload }: TraceDocument): string {
  const subject = `"id":${_id},"job_id":${JSON.stringify(job_id)},"agent_name":${JSON.stringify(agent_name)}`
  const event = `"event_type":"${event_type}","parent_id":${parent_id},"timestamp":"${at.toISOString()}"`
  return `{${subject},${event},"payload":${payload}}`
}

function withoutPayload(trace: Omit<TraceDocument, 'payload'>): Omit<Trace, 'payload'> {
  const { _id, job_id, agent_name, event_type, parent_id, timestamp: at } = trace
  return { id: _id, job_id, agent_name, event_type, parent_id, timestamp: at.toISOString() }
}

/** A trace event with its full payload. @throws TroupeError storage_failed */
export async function fullTraceView(
  deps: Dependencies,
  trace: TraceDocument,
  responseClosed: AbortSignal,
): Promise<JsonText> {
  if (!trace.payload.includes('"offloaded":true')) return traceViews([trace])
  const payload = parseJson(trace.payload) as Record<string, unknown>
  const fields: [string, unknown][] = []
  for (const [field, value] of Object.entries(payload)) {
    const pointer = ownPointer(deps, trace, value)
    fields.push([field, pointer === undefined ? value : await contentText(deps, { pointer }, responseClosed)])
  }
  return jsonObject<Trace>({ ...withoutPayload(trace), payload: jsonObject(Object.fromEntries(fields)) })
}

/**
 * The pointer in a field. The result of a tool may look like a pointer, so only objects of the same job in the bucket of
 * the service are fetched.
 */
function ownPointer({ config }: Dependencies, { job_id }: TraceDocument, value: unknown): Pointer | undefined {
  if (!isObject(value) || value.offloaded !== true || !isObject(value.pointer)) return undefined
  const { bucket, key } = value.pointer
  const own = bucket === config.S3_BUCKET && typeof key === 'string' && key.includes(`/${job_id}`)
  return own ? (value.pointer as unknown as Pointer) : undefined
}

/** Summary of the events of a job. Events are in the order of recording, which may differ from the order of their timestamps. */
class GroupSeen {
  count = 0
  readonly agents = new Set<string>()
  first: Date
  last: Date

  constructor({ timestamp }: TraceDocument) {
    this.first = timestamp
    this.last = timestamp
  }

  add(events: TraceDocument[]): void {
    this.count += events.length
    for (const { agent_name, timestamp } of events) {
      this.agents.add(agent_name)
      if (timestamp < this.first) this.first = timestamp
      if (timestamp > this.last) this.last = timestamp
    }
  }
}

/** A job with all of its events in memory. @param events - in order; at least one. */
export function traceGroupView(jobId: string, events: [TraceDocument, ...TraceDocument[]]): JsonText {
  const seen = new GroupSeen(events[0])
  seen.add(events)
  return jsonObject<TraceGroup>({
    job_id: jobId,
    trace_count: seen.count,
    agents: [...seen.agents],
    start_time: seen.first.toISOString(),
    end_time: seen.last.toISOString(),
    traces: new JsonText(`[${events.map(traceText).join(',')}]`),
  })
}

/**
 * A job with very many events, built while they are read; the summary comes last.
 * @param portions - the events in order; `first` is the first event.
 */
export function longTraceGroupView(
  jobId: string,
  first: TraceDocument,
  portions: AsyncIterable<TraceDocument[]>,
): JsonText {
  const seen = new GroupSeen(first)
  const views = async function* () {
    for await (const portion of portions) {
      seen.add(portion)
      yield traceViews(portion)
    }
  }
  return jsonObject<TraceGroup>({
    job_id: jobId,
    traces: jsonArray(views()),
    start_time: jsonLater(() => seen.first.toISOString()),
    end_time: jsonLater(() => seen.last.toISOString()),
    trace_count: jsonLater(() => seen.count),
    agents: jsonLater(() => [...seen.agents]),
  })
}
