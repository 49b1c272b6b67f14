import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import pTimeout from 'p-timeout'
import type { z, ZodType } from 'zod'
import type { Endpoint, PathParameters } from '../../contracts/endpoint.ts'
import { TroupeError } from '../../core/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireRole, type Caller } from './api-keys.ts'
import { submitOnce } from './idempotency.ts'
import { JsonText, sendable } from './json-text.ts'
import { jsonBody } from './middleware/json-body.ts'
import { ownPages } from './middleware/origins.ts'
import { revalidate } from './middleware/revalidate.ts'
import { validate } from './middleware/validate.ts'
import { shareReads } from './shared-reads.ts'

/** What a handler gets: checked input, and what it needs to work for one client. */
export interface Call<Path extends string, Query extends ZodType, Body extends ZodType> {
  parameters: Record<PathParameters<Path>, string>
  query: z.output<Query>
  body: z.output<Body>
  caller: Caller
  /** Fires when the answer was sent or its client has gone. */
  responseClosed: AbortSignal
}

/** A call that starts work. */
export interface SubmissionCall<Path extends string, Query extends ZodType, Body extends ZodType> extends Call<
  Path,
  Query,
  Body
> {
  /** Ids of what a submission creates are derived from it. */
  seed: string
}

type Answer<Schema extends ZodType> = z.output<Schema> | JsonText

/** What of a body says how its client is served; the rest is forgotten once the work has begun. */
export type Flags<Body> = { [Name in keyof Body as Body[Name] extends boolean | number ? Name : never]: Body[Name] }

/** A submission whose work has begun. */
export interface BegunCall<Path extends string, Body extends ZodType> {
  parameters: Record<PathParameters<Path>, string>
  flags: Flags<z.output<Body>>
  seed: string
  responseClosed: AbortSignal
}

/** How a submission is served. */
export interface SubmissionHandler<SubmittedCall, Begun, Schema extends ZodType, Started, Facts> {
  /** Begins the work. */
  submit: (call: SubmittedCall) => Promise<Started>
  /** Waits for the work where that was asked. Gives what the answer is made from: small, and plain JSON. */
  wait: (started: Started, call: Begun) => Promise<Facts> | Facts
  /** Makes the answer: for the first request, and again for each later one under its Idempotency-Key. */
  answer: (facts: Facts, call: Begun) => Promise<Answer<Schema>> | Answer<Schema>
}

const TIME_LIMIT_MS = 15_000

/**
 * Serves an endpoint: role → body → query and body checked → handler → answer. What is only read is read once for all who
 * ask for it at the same time with one key.
 * @param handle - gives the answer's object, or its JSON text when parts of it are large.
 */
export function serveEndpoint<Path extends string, Query extends ZodType, Body extends ZodType, Schema extends ZodType>(
  router: Router,
  deps: Dependencies,
  endpoint: Endpoint<Path, Query, Body, Schema>,
  handle: (call: Call<Path, Query, Body>) => Promise<Answer<Schema>>,
): void {
  const share = endpoint.reads ? shareReads<Answer<Schema>>() : undefined
  register(router, deps, endpoint, async function answer(ctx) {
    const call = callOf<Path, Query, Body>(ctx)
    const field = wantsText(ctx, endpoint) ? endpoint.textField : undefined
    const read = async (responseClosed: AbortSignal): Promise<Answer<Schema>> => {
      const answering = handle({ ...call, responseClosed })
      const answered = await (endpoint.prompt ? withinTime(answering) : answering)
      return field === undefined ? answered : new JsonText((answered as Record<string, string>)[field] as string)
    }
    const key = JSON.stringify([call.caller.name, call.parameters, call.query, field])
    ctx.body = await (share === undefined ? read(call.responseClosed) : share(key, call.responseClosed, read))
  })
}

/** What the work gives, if that comes in time. The work itself goes on: what it does may still come true. */
function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const sentence = `No answer within ${TIME_LIMIT_MS / 1_000} s: a server cannot be reached; try again.`
  const fallback = (): never => {
    throw new TroupeError('unavailable', sentence)
  }
  return pTimeout(work, { milliseconds: TIME_LIMIT_MS, fallback })
}

/** Whether an endpoint that has a text is to give it: unless its client asks for JSON. */
function wantsText(ctx: Context, { textField }: Pick<Endpoint, 'textField'>): boolean {
  if (textField === undefined) return false
  ctx.vary('Accept')
  if (ctx.accepts('text/plain', 'application/json') === 'application/json') return false
  ctx.state.type = 'text'
  return true
}

/** Serves an endpoint that starts work, once under an Idempotency-Key. */
export function serveSubmission<
  Path extends string,
  Query extends ZodType,
  Body extends ZodType,
  Schema extends ZodType,
  Started,
  Facts,
>(
  router: Router,
  deps: Dependencies,
  endpoint: Endpoint<Path, Query, Body, Schema>,
  {
    submit,
    wait,
    answer,
  }: SubmissionHandler<SubmissionCall<Path, Query, Body>, BegunCall<Path, Body>, Schema, Started, Facts>,
): void {
  register(router, deps, endpoint, async function answerSubmission(ctx) {
    // Nothing that lives as long as the answer is awaited may hold the body: it is in `ctx.state` alone.
    const begin = (seed: string): Promise<Started> => submit({ ...callOf<Path, Query, Body>(ctx), seed })
    const begun = begunOf<Path, Body>(ctx)
    const { seed, facts } = await submitOnce(deps, ctx, async (seed) => {
      const started = await begin(seed)
      ctx.state.forgetBody()
      return wait(started, { ...begun, seed })
    })
    // Facts that were known already: nothing has begun here.
    ctx.state.forgetBody()
    ctx.body = await answer(facts, { ...begun, seed })
  })
}

function begunOf<Path extends string, Body extends ZodType>(ctx: Context): Omit<BegunCall<Path, Body>, 'seed'> {
  const { params, state } = ctx as Context & { params: BegunCall<Path, Body>['parameters'] }
  const flags = Object.entries(state.body as object).filter(([, value]) => ['boolean', 'number'].includes(typeof value))
  return {
    parameters: params,
    flags: Object.fromEntries(flags) as Flags<z.output<Body>>,
    responseClosed: state.responseClosed as AbortSignal,
  }
}

function register(router: Router, deps: Dependencies, endpoint: Endpoint, respond: Middleware): void {
  const { method, path, query, body, bodyOptional, reads, revalidates, role, submits } = endpoint
  const { MAX_BODY_BYTES: limitBytes } = deps.config
  const steps: Middleware[] = [
    sendAnswer,
    requireRoleOf(role),
    // A replay without a body starts nothing.
    ...(submits && !bodyOptional ? [refuseWhenFull(deps)] : []),
    ...(method === 'get' && !reads ? [ownPages(deps.config, [])] : []),
    ...(method === 'get' ? [] : [jsonBody({ limitBytes, optional: bodyOptional || !body, room: deps.bodyRoom })]),
    validate({ query, body }),
    ...(revalidates ? [revalidate] : []),
    respond,
  ]
  const layer = router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], steps)
  // The router answers HEAD wherever there is a GET: one that starts work must not be started by it.
  if (!reads) layer.methods = layer.methods.filter((name) => name !== 'HEAD')
}

function callOf<Path extends string, Query extends ZodType, Body extends ZodType>(
  ctx: Context,
): Call<Path, Query, Body> {
  const { params, state } = ctx as Context & { params: Call<Path, Query, Body>['parameters'] }
  const { query, body, caller, responseClosed } = state
  return { parameters: params, query, body, caller, responseClosed }
}

function requireRoleOf(role: Endpoint['role']): Middleware {
  return async function checkRole(ctx, next) {
    requireRole(ctx.state.caller as Caller, role)
    await next()
  }
}

/** Under overload most submissions are refused: that must not cost reading them. One with a key may have been accepted before. */
function refuseWhenFull({ runs }: Dependencies): Middleware {
  return async function checkRoom(ctx, next) {
    if (!('idempotency-key' in ctx.headers)) runs.refuseWhenFull()
    await next()
  }
}

// One for all: making an error for every answer costs more than many a query.
const CLOSED = new Error('The answer was sent, or its client has gone.')

async function sendAnswer(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  const closed = new AbortController()
  ctx.res.once('close', () => closed.abort(CLOSED))
  ctx.state.responseClosed = closed.signal
  await next()
  if (ctx.body instanceof JsonText) ctx.body = await sendable(ctx.body)
  ctx.type = ctx.state.type ?? 'json'
}
