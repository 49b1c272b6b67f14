import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'

const PROTECTED = /^\/(api|ws)(\/|$)/i

/**
 * Whether a request presents at least one right key; always true when no keys are configured. Used for HTTP requests
 * and for WebSocket handshakes.
 * @param query - given for WebSockets only, where `api_key` counts too.
 */
export function isAuthorized(keys: readonly string[], headers: IncomingHttpHeaders, query?: URLSearchParams): boolean {
  return keys.length === 0 || authorizedKey(keys, headers, query) !== undefined
}

/** Asks for a key on every path below /api and /ws. Keeps a digest of the right key in `state.keyDigest`. */
export function authentication(keys: readonly string[]): Middleware {
  return async function authenticate(ctx, next) {
    if (keys.length > 0 && PROTECTED.test(ctx.path)) {
      const key = authorizedKey(keys, ctx.headers)
      if (key === undefined) {
        ctx.set('WWW-Authenticate', 'Bearer')
        throw new TroupeError('unauthorized', 'Invalid or missing API key')
      }
      ctx.state.keyDigest = key
    }
    await next()
  }
}

/** Digest of the configured key that a request presents. Every pair is compared, so that the time tells nothing. */
function authorizedKey(
  keys: readonly string[],
  headers: IncomingHttpHeaders,
  query?: URLSearchParams,
): string | undefined {
  const presented = presentedKeys(headers, query).map(digest)
  const known = keys.map((key) => digest(Buffer.from(key, 'utf8')))
  const right = known.filter((key) => presented.filter((candidate) => timingSafeEqual(candidate, key)).length > 0)
  return right[0]?.toString('hex')
}

function presentedKeys(headers: IncomingHttpHeaders, query: URLSearchParams | undefined): Buffer[] {
  // Node reads header bytes as latin1 and joins repeated headers with a comma, which no key contains.
  const inHeader = String(headers['x-api-key'] ?? '').split(',')
  const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]
  return [
    ...[...inHeader, bearer ?? ''].map((text) => Buffer.from(text.trim(), 'latin1')),
    ...(query?.getAll('api_key') ?? []).map((text) => Buffer.from(text, 'utf8')),
  ]
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
