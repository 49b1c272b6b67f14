import { defaultPayloadConverter, type Headers } from '@temporalio/common'

/** The context of a span in transport form: W3C ids in lower-case hex. */
export interface TraceParent {
  /** 32 digits. */
  traceId: string
  /** 16 digits. */
  spanId: string
  /** Whether the trace's spans are recorded. */
  sampled: boolean
}

/** The header in which every Temporal SDK carries a trace, so that clients in other languages can take part. */
const HEADER = '_tracer-data'
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The span context of a call; undefined if the call is not traced. */
export function readTraceHeader(headers: Headers): TraceParent | undefined {
  const { traceparent } = decoded<{ traceparent?: unknown }>(headers, HEADER) ?? {}
  const match = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '')
  if (match === null) return undefined
  const [, traceId = '', spanId = '', flags = ''] = match
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The headers of a call with its span context. */
export function withTraceHeader(headers: Headers, { traceId, spanId, sampled }: TraceParent): Headers {
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
  return { ...headers, [HEADER]: defaultPayloadConverter.toPayload({ traceparent }) }
}

/** A header's value. A missing or unreadable header must not fail a workflow. */
function decoded<Value>(headers: Headers, name: string): Value | undefined {
  const payload = headers[name]
  if (payload === undefined) return undefined
  try {
    return defaultPayloadConverter.fromPayload<Value>(payload) ?? undefined
  } catch {
    return undefined
  }
}
