import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Middleware } from 'koa'

const SAFE = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: the caller's when it is short and safe, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = String(headers['x-request-id'] ?? '')
  return SAFE.test(given) ? given : randomUUID()
}

/** Gives every request an id, in the `X-Request-Id` response header and in the log. */
export function requestId(): Middleware {
  return async function nameRequest(ctx, next) {
    ctx.state.requestId = requestIdOf(ctx.headers)
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
  }
}
