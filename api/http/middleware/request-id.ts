import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

const SAFE = /^[A-Za-z0-9._-]{1,64}$/

/** Names every request: `X-Request-Id` on the answer and in the log. A caller's own id is kept when it is short and safe. */
export function requestId(): Middleware {
  return async function nameRequest(ctx, next) {
    const given = ctx.get('X-Request-Id')
    ctx.state.requestId = SAFE.test(given) ? given : randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
  }
}
