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

/** The argument of a handler: validated input and the context of the request. */
export interface Call<Path extends string, Query extends ZodType, Body extends ZodType> {
  parameters: Record<PathParameters<Path>, string>
  query: z.output<Query>
  body: z.output<Body>
  caller: Caller
  /** Fires when the response was sent or the client has disconnected. */
  responseClosed: AbortSignal
}

/** A call that starts work. */
export interface SubmissionCall<Path extends string, Query extends ZodType, Body extends ZodType> extends Call<
  Path,
  Query,
  Body
> {
  /** The source of all ids that the submission creates. */
  seed: string
}

type Answer<Schema extends ZodType> = z.output<Schema> | JsonText

/** The booleans and numbers of a body, which determine the response; the rest is released once the work has started. */
export type Flags<Body> = { [Name in keyof Body as Body[Name] extends boolean | number ? Name : never]: Body[Name] }

/** A submission whose work has started. */
export interface BegunCall<Path extends string, Body extends ZodType> {
  parameters: Record<PathParameters<Path>, string>
  flags: Flags<z.output<Body>>
  seed: string
  responseClosed: AbortSignal
}

/** The steps of serving a submission. */
export interface SubmissionHandler<SubmittedCall, Begun, Schema extends ZodType, Started, Facts> {
  /** Starts the work. */
  submit: (call: SubmittedCall) => Promise<Started>
  /** Waits for the work if requested. Returns the facts from which the response is built: small, plain JSON. */
  wait: (started: Started, call: Begun) => Promise<Facts> | Facts
  /** Builds the response for the first request, and for every repeated one with its Idempotency-Key. */
  answer: (facts: Facts, call: Begun) => Promise<Answer<Schema>> | Answer<Schema>
}

const TIME_LIMIT_MS = 15_000

/**
 * Serves an endpoint: check the role → read the body → validate query and body → handler → response. Concurrent equal
 * reads with the same key share one call of the handler.
 * @param handle - returns the response object, or its JSON text when parts of it are large.
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

/** The result of the work, with a time limit. The work continues after a timeout and may still succeed. */
function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const sentence = `No response within ${TIME_LIMIT_MS / 1_000} s because a required server cannot be reached; try again.`
  const fallback = (): never => {
    throw new TroupeError('unavailable', sentence)
  }
  return pTimeout(work, { milliseconds: TIME_LIMIT_MS, fallback })
}

/** Whether to return the text field of an endpoint, which is the default unless the client accepts JSON. */
function wantsText(ctx: Context, { textField }: Pick<Endpoint, 'textField'>): boolean {
  if (textField === undefined) return false
  ctx.vary('Accept')
  if (ctx.accepts('text/plain', 'application/json') === 'application/json') return false
  ctx.state.type = 'text'
  return true
}

/** Serves an endpoint that starts work; at most once per Idempotency-Key. */
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
    // Only `ctx.state` may reference the body, so that `forgetBody` releases it while the request waits.
    const begin = (seed: string): Promise<Started> => submit({ ...callOf<Path, Query, Body>(ctx), seed })
    const begun = begunOf<Path, Body>(ctx)
    const { seed, facts } = await submitOnce(deps, ctx, async (seed) => {
      const started = await begin(seed)
      ctx.state.forgetBody()
      return wait(started, { ...begun, seed })
    })
    // Also for stored facts, where `submit` did not run.
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
    // Endpoints with an optional body (replay) do not always start work.
    ...(submits && !bodyOptional ? [refuseWhenFull(deps)] : []),
    ...(method === 'get' && !reads ? [ownPages(deps.config, [])] : []),
    ...(method === 'get' ? [] : [jsonBody({ limitBytes, optional: bodyOptional || !body, room: deps.bodyRoom })]),
    validate({ query, body }),
    ...(revalidates ? [revalidate] : []),
    respond,
  ]
  const layer = router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], steps)
  // The router serves HEAD with every GET route; HEAD must not start work.
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

/** Rejects submissions during overload before reading them. One with an Idempotency-Key may have been accepted before. */
function refuseWhenFull({ runs }: Dependencies): Middleware {
  return async function checkRoom(ctx, next) {
    if (!('idempotency-key' in ctx.headers)) runs.refuseWhenFull()
    await next()
  }
}

// A shared instance, because creating an error for every response costs more than many queries.
const CLOSED = new Error('The response was sent, or the client has disconnected.')

async function sendAnswer(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  const closed = new AbortController()
  ctx.res.once('close', () => closed.abort(CLOSED))
  ctx.state.responseClosed = closed.signal
  await next()
  if (ctx.body instanceof JsonText) ctx.body = await sendable(ctx.body)
  ctx.type = ctx.state.type ?? 'json'
}
