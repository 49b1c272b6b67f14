import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { JsonText } from '../json-text.ts'

/** Gives an answer an ETag. Clients that name it get 304 without a body for as long as the answer is the same. */
export async function revalidate(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  await next()
  const text = ctx.body instanceof JsonText ? ctx.body.source : JSON.stringify(ctx.body)
  if (typeof text !== 'string') return
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  ctx.body = new JsonText(text)
  ctx.set('ETag', etag)
  ctx.set('Cache-Control', 'private, no-cache')
  // Not `ctx.fresh`: fetch sends Cache-Control: no-cache with an ETag that its caller names, and that would count as stale.
  const known = ctx.get('If-None-Match').split(',')
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) ctx.status = 304
}
