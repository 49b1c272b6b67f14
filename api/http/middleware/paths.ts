import type { Middleware } from 'koa'
import { TroupeError } from '../../../core/errors.ts'

interface Matched {
  matched?: { methods: string[]; path: string | RegExp }[]
  routeMatched?: boolean
}

/** Refuses a path whose percent-encoding is broken: the router would take it literally. */
export function readablePath(): Middleware {
  return async function checkPath(ctx, next) {
    try {
      decodeURIComponent(ctx.path)
    } catch {
      throw new TroupeError('bad_request', 'The path has malformed percent-encoding.')
    }
    await next()
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
