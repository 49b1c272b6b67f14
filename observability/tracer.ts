import {
  context,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanKind,
} from '@opentelemetry/api'
import type { Headers } from '@temporalio/common'
import { codeOf } from '../core/errors.ts'
import { readTraceHeader, withTraceHeader, type TraceParent } from './trace-header.ts'

/** Creates spans if TRACING=external has loaded an SDK; otherwise its functions cost almost nothing. */
const tracer = trace.getTracer('troupe')

export interface SpanOptions {
  kind: SpanKind
  attributes: Attributes
}

/**
 * Runs work as a child of the active span. An error ends the span with its code and never with its message, because
 * messages can quote users.
 */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, errorType(error))
      throw error
    } finally {
      span.end()
    }
  })
}

/** Runs work below the span context in a Temporal call's headers, or unchanged if there is none. */
export function below<Result>(headers: Headers, work: () => Result): Result {
  const place = readTraceHeader(headers)
  return place === undefined ? work() : context.with(contextAt(place), work)
}

/** Runs work below the span context in an HTTP request's headers. */
export function belowRequest<Result>(headers: Record<string, unknown>, work: () => Result): Result {
  return context.with(propagation.extract(context.active(), headers), work)
}

/** The headers of a Temporal call with the active span. */
export function withActiveSpan(headers: Headers): Headers {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || !trace.isSpanContextValid(active)) return headers
  const { traceId, spanId, traceFlags } = active
  return withTraceHeader(headers, { traceId, spanId, sampled: (traceFlags & 1) === 1 })
}

/** Creates a span that has already ended. */
export function recordSpan(name: string, options: SpanOptions & { above: TraceParent; startMs: number }): Span {
  const { above, startMs, ...spanOptions } = options
  return tracer.startSpan(name, { ...spanOptions, startTime: startMs }, contextAt(above))
}

/**
 * Marks a span as failed.
 * @param type - lower snake case, for `error.type`.
 */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The kind of an error, in few words. */
export function errorType(error: unknown): string {
  const code = codeOf(error) ?? (error as { type?: unknown } | null)?.type
  if (typeof code === 'string' || typeof code === 'number') return String(code)
  return error instanceof Error ? error.name : 'unknown'
}

function contextAt({ traceId, spanId, sampled }: TraceParent) {
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true })
}
