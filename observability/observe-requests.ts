import { SpanKind } from '@opentelemetry/api'
import type { Context, Middleware } from 'koa'
import { requestSeconds } from './http-metrics.ts'
import { withLogFields } from '../log-context.ts'
import { belowRequest, failSpan, inSpan } from './tracer.ts'

/** nginx's conventional status for a client that left before the response. */
const CLIENT_GONE = 499

/**
 * Measures every request, makes it a span in its caller's trace, and adds its id to log lines. It belongs after the
 * middleware that names requests, and before the one that writes error responses.
 */
export function observeRequests(): Middleware {
  return function observe(ctx, next) {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const status = ctx.res.writableFinished ? ctx.status : CLIENT_GONE
      const labels = { method: ctx.method, route: routeOf(ctx), status: String(status) }
      requestSeconds.observe(labels, (performance.now() - startedAt) / 1_000)
    })
    const { requestId } = ctx.state
    return withLogFields({ requestId }, () => belowRequest(ctx.headers, () => traced(ctx, next)))
  }
}

function traced(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  const attributes = {
    'http.request.method': ctx.method,
    'url.path': ctx.path,
    'troupe.request.id': ctx.state.requestId,
  }
  return inSpan(ctx.method, { kind: SpanKind.SERVER, attributes }, async (span) => {
    await next()
    const route = routeOf(ctx)
    span.updateName(`${ctx.method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': ctx.status })
    if (ctx.status >= 500) failSpan(span, String(ctx.status))
  })
}

/** The path template of the interface. Unknown paths share one label, because clients can invent any number of them. */
function routeOf(ctx: Context): string {
  const route = (ctx as { _matchedRoute?: unknown })._matchedRoute
  return typeof route === 'string' ? route.replaceAll(/:(\w+)/g, '{$1}') : 'unmatched'
}
