import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'
import type { ApiKeys } from '../api-keys.ts'

const PROTECTED = /^\/(api|ws)(\/|$)/i

/** Requires a key on every path below /api and /ws. Stores the caller as `state.caller`. */
export function authentication(keys: ApiKeys): Middleware {
  return async function authenticate(ctx, next) {
    if (PROTECTED.test(ctx.path)) {
      // A shared cache does not know X-API-Key and would serve the responses for one key to others.
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
