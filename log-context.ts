import { AsyncLocalStorage } from 'node:async_hooks'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'

const fieldsOf = new AsyncLocalStorage<Record<string, unknown>>()

/** Runs a function; every line that is logged on its behalf, however deep, carries these fields. */
export function withLogFields<Result>(fields: Record<string, unknown>, run: () => Result): Result {
  return fieldsOf.run({ ...fieldsOf.getStore(), ...fields }, run)
}

/** Runs a function whose lines are about nothing in particular, whoever's timer or connection it hangs on. */
export function withoutLogFields<Result>(run: () => Result): Result {
  return fieldsOf.run({}, () => context.with(ROOT_CONTEXT, run))
}

/** What the line that is being written is about: fields of its surroundings, and its trace when there is one. */
export function logFields(): Record<string, unknown> {
  const span = trace.getActiveSpan()?.spanContext()
  return { ...fieldsOf.getStore(), ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }) }
}
