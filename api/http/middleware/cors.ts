import type { Middleware } from 'koa'

const ALLOWED_METHODS = 'GET, HEAD, POST, DELETE'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Request-Id'
const EXPOSED_HEADERS = 'Allow, Retry-After, X-Request-Id'
const MAX_AGE_SECONDS = '600'

/**
 * Sends CORS headers for the allowed origins; without any, no CORS headers at all. Keys are sent in headers, so
 * credentials in the browser's sense (cookies) are never allowed, and `*` is harmless.
 */
export function cors(origins: readonly string[]): Middleware {
  return async function shareWithOrigins(ctx, next) {
    if (origins.length === 0) return next()
    ctx.vary('Origin')
    const origin = ctx.get('Origin')
    const allowed = origins.includes('*') ? '*' : origins.find((named) => named === origin)
    if (origin === '' || allowed === undefined) return next()
    ctx.set('Access-Control-Allow-Origin', allowed)
    const preflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== ''
    if (!preflight) {
      ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
      return next()
    }
    ctx.set('Access-Control-Allow-Methods', ALLOWED_METHODS)
    ctx.set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
    ctx.set('Access-Control-Max-Age', MAX_AGE_SECONDS)
    ctx.status = 204
  }
}
