import { defaultPayloadConverter, type Headers } from '@temporalio/common'

/** A place in a trace, in the form in which it travels: W3C ids in lower-case hex. */
export interface TraceParent {
  /** 32 digits. */
  traceId: string
  /** 16 digits. */
  spanId: string
  /** Whether the trace's spans are recorded. */
  sampled: boolean
}

/** Where every Temporal SDK keeps the carrier of a trace, so that clients in other languages can be part of it. */
const HEADER = '_tracer-data'
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The place that a call comes from; undefined when it is not traced. */
export function readTraceHeader(headers: Headers): TraceParent | undefined {
  const { traceparent } = decoded<{ traceparent?: unknown }>(headers, HEADER) ?? {}
  const match = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '')
  if (match === null) return undefined
  const [, traceId = '', spanId = '', flags = ''] = match
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The headers of a call, with the place that it comes from. */
export function withTraceHeader(headers: Headers, { traceId, spanId, sampled }: TraceParent): Headers {
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
  return { ...headers, [HEADER]: defaultPayloadConverter.toPayload({ traceparent }) }
}

/** A header's value; one that is missing or unreadable is no reason to fail a workflow. */
function decoded<Value>(headers: Headers, name: string): Value | undefined {
  const payload = headers[name]
  if (payload === undefined) return undefined
  try {
    return defaultPayloadConverter.fromPayload<Value>(payload) ?? undefined
  } catch {
    return undefined
  }
}
