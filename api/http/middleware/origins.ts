import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'
import { isForeignPage, isKnownHost, type OriginRules } from '../origins.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** What a foreign page is told; the same for requests and for WebSocket handshakes. */
export const FOREIGN_PAGE = 'Pages of this origin may not use the service: name it in CORS_ORIGIN.'
/** What a client is told that came by a name of somebody else. */
export const UNKNOWN_HOST = 'The service is not known under this name: add it to ALLOWED_HOSTS, or set SERVICE_API_KEY.'

/** Refuses requests that do not say to whom they go, as HTTP/1.1 demands; HTTP/1.0, which health checks speak, may leave it out. */
export function namedHost(): Middleware {
  return async function requireHost({ req }, next) {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      throw new TroupeError('bad_request', 'The Host header is required.')
    }
    await next()
  }
}

/** Refuses requests under unknown names, where there are no keys that would keep other people's pages out. */
export function knownHost(rules: OriginRules): Middleware {
  return async function checkHost(ctx, next) {
    if (!isKnownHost(ctx.headers, rules)) throw new TroupeError('forbidden', UNKNOWN_HOST)
    await next()
  }
}

/** Refuses what a foreign page sends to change something. @param safeMethods - change nothing; none where a GET starts work. */
export function ownPages(rules: OriginRules, safeMethods: readonly string[] = SAFE_METHODS): Middleware {
  return async function checkOrigin(ctx, next) {
    if (!safeMethods.includes(ctx.method) && isForeignPage(ctx.headers, rules)) {
      throw new TroupeError('forbidden', FOREIGN_PAGE)
    }
    await next()
  }
}
