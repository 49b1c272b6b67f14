import type { Middleware } from 'koa'

/** Ends the connections of a process that shuts down with their next response, so that no request is cut off later. */
export function lastResponse(closing: AbortSignal): Middleware {
  return async function endConnection(ctx, next) {
    await next()
    if (closing.aborted) ctx.set('Connection', 'close')
  }
}
