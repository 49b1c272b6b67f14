import { AsyncLocalStorage } from 'node:async_hooks'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'

const fieldsOf = new AsyncLocalStorage<Record<string, unknown>>()

/** Runs a function. Every line logged within its asynchronous context carries these fields. */
export function withLogFields<Result>(fields: Record<string, unknown>, run: () => Result): Result {
  return fieldsOf.run({ ...fieldsOf.getStore(), ...fields }, run)
}

/**
 * Runs a function without log fields or trace. Shared timers and connections use it, because they belong to no request.
 */
export function withoutLogFields<Result>(run: () => Result): Result {
  return fieldsOf.run({}, () => context.with(ROOT_CONTEXT, run))
}

/** Fields of the current log line: those of its asynchronous context, and its trace and span ids if it has any. */
export function logFields(): Record<string, unknown> {
  const span = trace.getActiveSpan()?.spanContext()
  return { ...fieldsOf.getStore(), ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }) }
}
