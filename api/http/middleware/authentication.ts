import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'
import type { ApiKeys } from '../api-keys.ts'

const PROTECTED = /^\/(api|ws)(\/|$)/i

/** Asks for a key on every path below /api and /ws. Keeps who called as `state.caller`. */
export function authentication(keys: ApiKeys): Middleware {
  return async function authenticate(ctx, next) {
    if (PROTECTED.test(ctx.path)) {
      // A cache on the way knows nothing of X-API-Key, and would give one key's answers to others.
      ctx.set('Cache-Control', 'no-store')
      const caller = keys.identify(ctx.headers)
      if (caller === undefined) {
        ctx.set('WWW-Authenticate', 'Bearer')
        throw new TroupeError('unauthorized', 'Invalid or missing API key')
      }
      ctx.state.caller = caller
    }
    await next()
  }
}
