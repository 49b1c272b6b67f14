import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Middleware } from 'koa'

const SAFE = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: a caller's own when it is short and safe, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = String(headers['x-request-id'] ?? '')
  return SAFE.test(given) ? given : randomUUID()
}

/** Names every request: `X-Request-Id` on the answer and in the log. */
export function requestId(): Middleware {
  return async function nameRequest(ctx, next) {
    ctx.state.requestId = requestIdOf(ctx.headers)
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
  }
}
