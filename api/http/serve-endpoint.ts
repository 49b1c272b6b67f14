import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { z, ZodType } from 'zod'
import type { Endpoint, PathParameters } from '../../contracts/endpoint.ts'
import type { Dependencies } from '../dependencies.ts'
import { idempotency } from './idempotency.ts'
import { JsonText, sendable } from './json-text.ts'
import { jsonBody } from './middleware/json-body.ts'
import { shareReads } from './shared-reads.ts'
import { validate } from './middleware/validate.ts'

/** What a handler gets: checked input, and what it needs to work for one client. */
export interface Call<Path extends string, Query extends ZodType, Body extends ZodType> {
  parameters: Record<PathParameters<Path>, string>
  query: z.output<Query>
  body: z.output<Body>
  /** Ids of what a submission creates are derived from it. */
  seed: string
  /** Fires when the answer was sent or its client has gone. */
  released: AbortSignal
}

/**
 * Serves an endpoint: body → query and body checked → idempotency (where work is submitted) → handler → answer. What is only
 * read is read once for all who ask for it at the same time.
 * @param handle - gives the answer's object, or its JSON text when parts of it are large.
 */
export function serveEndpoint<Path extends string, Query extends ZodType, Body extends ZodType, Answer extends ZodType>(
  router: Router,
  deps: Dependencies,
  endpoint: Endpoint<Path, Query, Body, Answer>,
  handle: (call: Call<Path, Query, Body>) => Promise<z.output<Answer> | JsonText>,
): void {
  const { method, path, query, body, bodyOptional, submits, reads } = endpoint
  const share = reads ? shareReads<z.output<Answer> | JsonText>() : undefined
  const steps: Middleware[] = [
    sendAnswer,
    ...(body === undefined ? [] : [jsonBody({ limitBytes: deps.config.MAX_BODY_BYTES, optional: bodyOptional })]),
    validate({ query, body }),
    ...(submits ? [idempotency(deps)] : []),
    async function answer(ctx) {
      const { params: parameters, state } = ctx
      const { query, body, seed, released } = state
      const read = (released: AbortSignal) => handle({ parameters, query, body, seed, released })
      const key = JSON.stringify([parameters, query])
      ctx.body = await (share === undefined ? read(released) : share(key, released, read))
    },
  ]
  router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), ...steps)
}

// One for all: making an error for every answer costs more than many a query.
const RELEASED = new Error('The answer was sent, or its client has gone.')

async function sendAnswer(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  const gone = new AbortController()
  ctx.res.once('close', () => gone.abort(RELEASED))
  ctx.state.released = gone.signal
  await next()
  if (ctx.body instanceof JsonText) ctx.body = await sendable(ctx.body)
  ctx.type = 'json'
}
