import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { JsonText } from '../json-text.ts'

/** Adds an ETag to the response. Clients that send it in If-None-Match get 304 without a body while the response is the same. */
export async function revalidate(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  await next()
  const text = ctx.body instanceof JsonText ? ctx.body.source : JSON.stringify(ctx.body)
  if (typeof text !== 'string') return
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  ctx.body = new JsonText(text)
  ctx.set('ETag', etag)
  ctx.set('Cache-Control', 'private, no-cache')
  // `ctx.fresh` does not work here: fetch sends Cache-Control: no-cache with If-None-Match, which counts as stale.
  const known = ctx.get('If-None-Match').split(',')
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) ctx.status = 304
}
