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

/** Makes spans when TRACING=external has loaded an SDK; otherwise all of this costs next to nothing. */
const tracer = trace.getTracer('troupe')

export interface SpanOptions {
  kind: SpanKind
  attributes: Attributes
}

/**
 * Runs work as a span below the active one. What it throws ends the span with its code, never with its message: messages
 * can quote what users said.
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

/** Runs work below the place that the headers of a Temporal call name; as it is, where they name none. */
export function below<Result>(headers: Headers, work: () => Result): Result {
  const place = readTraceHeader(headers)
  return place === undefined ? work() : context.with(contextAt(place), work)
}

/** Runs work below the place that the headers of an HTTP request name. */
export function belowRequest<Result>(headers: Record<string, unknown>, work: () => Result): Result {
  return context.with(propagation.extract(context.active(), headers), work)
}

/** The headers of a Temporal call, with the active span. */
export function withActiveSpan(headers: Headers): Headers {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || !trace.isSpanContextValid(active)) return headers
  const { traceId, spanId, traceFlags } = active
  return withTraceHeader(headers, { traceId, spanId, sampled: (traceFlags & 1) === 1 })
}

/** Makes a span that has already ended. */
export function recordSpan(name: string, options: SpanOptions & { above: TraceParent; startMs: number }): Span {
  const { above, startMs, ...spanOptions } = options
  return tracer.startSpan(name, { ...spanOptions, startTime: startMs }, contextAt(above))
}

/** Marks a span as failed. @param type - lower snake case, as `error.type` has it. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** What kind of error it was, in few words. */
export function errorType(error: unknown): string {
  const code = codeOf(error) ?? (error as { type?: unknown } | null)?.type
  if (typeof code === 'string' || typeof code === 'number') return String(code)
  return error instanceof Error ? error.name : 'unknown'
}

function contextAt({ traceId, spanId, sampled }: TraceParent) {
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true })
}
