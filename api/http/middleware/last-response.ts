import type { Middleware } from 'koa'

/** During shutdown, closes each connection with its next response, so that no later request is cut off. */
export function lastResponse(closing: AbortSignal): Middleware {
  return async function endConnection(ctx, next) {
    await next()
    if (closing.aborted) ctx.set('Connection', 'close')
  }
}
