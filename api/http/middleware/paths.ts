import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'

interface Matched {
  matched?: { methods: string[]; path: string | RegExp }[]
}

/** A literal percent sign, which some clients do not encode in queries. */
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi

/**
 * Rejects a path with malformed percent-encoding, which the router would take literally, and a query that is not UTF-8,
 * whose characters would be replaced.
 */
export function readableUrl(): Middleware {
  return async function checkUrl(ctx, next) {
    if (!isDecodable(ctx.path)) throw new TroupeError('bad_request', 'The path has malformed percent-encoding.')
    if (!isDecodable(ctx.querystring.replace(BARE_PERCENT, ''))) {
      throw new TroupeError('bad_request', 'The query is not encoded as UTF-8.')
    }
    await next()
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Responds to requests that match no route: wrong method or unknown path. */
export function unmatched(): Middleware {
  return async function refuse(ctx) {
    const { matched = [] } = ctx as Matched
    // A literal route takes precedence over routes whose parameter would match the same path.
    const own = matched.filter(({ path }) => path === ctx.path)
    const methods = [...new Set((own.length > 0 ? own : matched).flatMap((layer) => layer.methods))].sort()
    if (methods.length === 0)
      throw new TroupeError(
        'not_found',
        `The path ${ctx.path.slice(0, 200)} does not exist; see /docs for the interface.`,
      )
    ctx.set('Allow', methods.join(', '))
    throw new TroupeError('method_not_allowed', `${ctx.method} is not allowed here; use ${methods.join(' or ')}.`)
  }
}
