import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'

interface Matched {
  matched?: { methods: string[]; path: string | RegExp }[]
}

/** A percent sign that stands for itself, as careless clients write it in queries. */
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi

/**
 * Refuses a path whose percent-encoding is broken: the router would take it literally. And a query that is not UTF-8, as a
 * body: its characters would be replaced.
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

/** The end of the line: what no route has taken is a wrong method or an unknown path. */
export function unmatched(): Middleware {
  return async function refuse(ctx) {
    const { matched = [] } = ctx as Matched
    // A path that has a route of its own is none of those that a parameter would take, too.
    const own = matched.filter(({ path }) => path === ctx.path)
    const methods = [...new Set((own.length > 0 ? own : matched).flatMap((layer) => layer.methods))].sort()
    if (methods.length === 0) throw new TroupeError('not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`)
    ctx.set('Allow', methods.join(', '))
    throw new TroupeError('method_not_allowed', `${ctx.method} is not allowed here; use ${methods.join(' or ')}.`)
  }
}
