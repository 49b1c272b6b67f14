import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'
import { isForeignPage, isKnownHost, type OriginRules } from '../origins.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Error for a web page of a disallowed origin, in requests and WebSocket handshakes. */
export const FOREIGN_PAGE =
  'Web pages of this origin may not use the service; to allow the origin, add it to CORS_ORIGIN.'
/** Error for a Host header with an unknown name. */
export const UNKNOWN_HOST =
  'The host name of this request is not allowed; add it to ALLOWED_HOSTS, or set SERVICE_API_KEY.'

/** Rejects requests without a Host header, which HTTP/1.1 requires; HTTP/1.0 requests, used by some health checks, may omit it. */
export function namedHost(): Middleware {
  return async function requireHost({ req }, next) {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      throw new TroupeError('bad_request', 'The Host header is required.')
    }
    await next()
  }
}

/** Rejects requests to unknown host names when there are no keys that would keep foreign web pages out. */
export function knownHost(rules: OriginRules): Middleware {
  return async function checkHost(ctx, next) {
    if (!isKnownHost(ctx.headers, rules)) throw new TroupeError('forbidden', UNKNOWN_HOST)
    await next()
  }
}

/** Rejects modifying requests of web pages of other origins. @param safeMethods - methods that change nothing; empty when a GET starts work. */
export function ownPages(rules: OriginRules, safeMethods: readonly string[] = SAFE_METHODS): Middleware {
  return async function checkOrigin(ctx, next) {
    if (!safeMethods.includes(ctx.method) && isForeignPage(ctx.headers, rules)) {
      throw new TroupeError('forbidden', FOREIGN_PAGE)
    }
    await next()
  }
}
