import type { Context, Middleware } from 'koa'
import { codeOf, type ErrorCode } from '../../../core/errors.ts'
import { isTemporalAway } from '../temporal-away.ts'
import type { Log } from '../../../log.ts'
import { isTransient } from '../../../store/mongodb/transient.ts'

const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  storage_failed: 502,
  object_lost: 502,
  engine_unavailable: 503,
  unavailable: 503,
}

/** MongoDB's error code for a query that exceeded its time limit. */
const MAX_TIME_EXPIRED = 50
const TOO_SLOW = 'The query took too long. Use a narrower filter, or a cursor instead of a large offset, or try again.'
const RETRY_AFTER_SECONDS = '2'

/** Turns every thrown error into an error response. */
export function errors(log: Log): Middleware {
  return async function answerErrors(ctx, next) {
    try {
      await next()
    } catch (error) {
      const { status, detail, retry } = answerTo(error)
      ctx.status = status
      ctx.body = { detail }
      if (retry) ctx.set('Retry-After', RETRY_AFTER_SECONDS)
      logError(log, ctx, error, status)
    }
  }
}

interface ErrorAnswer {
  status: number
  detail: string
  retry: boolean
}

function answerTo(error: unknown): ErrorAnswer {
  const code = codeOf(error)
  if (error instanceof Error && typeof code === 'string' && Object.hasOwn(STATUS, code)) {
    return { status: STATUS[code as ErrorCode], detail: error.message, retry: code === 'unavailable' }
  }
  if (code === MAX_TIME_EXPIRED) return { status: 503, detail: TOO_SLOW, retry: true }
  if (isTransient(error)) return { status: 503, detail: 'The database cannot be reached; try again.', retry: true }
  if (isTemporalAway(error)) return { status: 503, detail: 'Temporal cannot be reached; try again.', retry: true }
  return { status: 500, detail: 'Internal server error', retry: false }
}

function logError(log: Log, ctx: Context, error: unknown, status: number): void {
  // The client has disconnected: this is not an error of the service, and nobody reads the response.
  if (status < 500 || ctx.res.closed) return
  const fields = { requestId: ctx.state.requestId, method: ctx.method, path: ctx.path, err: error }
  if (status === 500) log.error(fields, 'request failed')
  else log.warn(fields, 'request failed')
}

/** Logs why a response broke off after it had started; the client only sees a closed connection. */
export function logBrokenAnswers(log: Log): (error: Error, ctx?: Context) => void {
  return (error, ctx) => {
    const gone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(codeOf(error)))
    const fields = { requestId: ctx?.state.requestId, path: ctx?.path, err: error }
    if (gone) log.debug(fields, 'client disconnected before the end of the response')
    else log.error(fields, 'response broke off')
  }
}
