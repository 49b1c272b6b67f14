import { AsyncResource } from 'node:async_hooks'
import type { Middleware } from 'koa'
import type { Log } from '../../../log.ts'
import type { Caller } from '../api-keys.ts'

/** Logs one line per response when it was sent or its client disconnected. Omits the query, which may contain a key. */
export function requestLog(log: Log): Middleware {
  return async function logRequest(ctx, next) {
    const startedAt = performance.now()
    const logAnswer = (): void => {
      const { method, path, state, res } = ctx
      const durationMs = Math.round(performance.now() - startedAt)
      const status = res.headersSent ? ctx.status : null
      const aborted = res.writableFinished ? {} : { aborted: true }
      const key = (state.caller as Caller | undefined)?.name ?? undefined
      log.info({ requestId: state.requestId, key, method, path, status, durationMs, ...aborted }, 'request')
    }
    // Bound to the trace context, so that the line contains its trace id.
    ctx.res.once('close', AsyncResource.bind(logAnswer))
    await next()
  }
}
