import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Middleware } from 'koa'
import { TroupeError, codeOf, messageOf } from '../../core/errors.ts'
import { newSeed } from './seeded-ids.ts'
import type { IdempotencyDocument } from '../../store/connect.ts'
import type { Content } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { JsonText } from './json-text.ts'

const LEASE_MS = 10_000
const RENEWAL_MS = 3_000
const MAX_PAUSE_MS = 500
const DUPLICATE_KEY = 11_000
/** A lease that its holder gave back: a client that comes again need not wait for its end. */
const RELEASED = new Date(0)

type Answered = IdempotencyDocument & { response: string }

/**
 * Gives every submission a seed for its ids in `state.seed`. Under an Idempotency-Key the first good answer is kept: the
 * same request gets it again, and one that comes while the first is under way waits for it. A process that dies in
 * between leaves the seed, so that the next try creates nothing twice.
 * @throws TroupeError bad_request for a malformed key, conflict for a key that another body was sent with
 */
export function idempotency(deps: Dependencies): Middleware {
  return async function answerOnce(ctx, next) {
    const key = ctx.get('Idempotency-Key')
    if (!('idempotency-key' in ctx.headers)) {
      ctx.state.seed = newSeed()
      return next()
    }
    if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new TroupeError('bad_request', 'Idempotency-Key must be 1 to 255 printable characters.')
    }
    const claim = await claimed(deps, ctx, key)
    if ('response' in claim) {
      ctx.body = new JsonText(String(await deps.contents.value(JSON.parse(claim.response) as Content)))
      return
    }
    ctx.state.seed = claim.seed
    await answerUnderLease(deps, ctx, claim, next)
  }
}

interface Claim {
  id: string
  seed: string
}

/** The stored answer, or the right to make it. Waits while somebody else has that right. */
async function claimed(deps: Dependencies, ctx: Context, key: string): Promise<Claim | Answered> {
  const { method, path, state } = ctx
  const id = sha256(JSON.stringify([state.keyDigest ?? '', method, path, key]))
  const bodyHash = sha256(String(ctx.request.rawBody ?? ''))
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const known = await deps.store.idempotency.findOne({ _id: id })
    if (known !== null && known.body_hash !== bodyHash) {
      throw new TroupeError('conflict', 'The Idempotency-Key was used with another body.')
    }
    if (isAnswered(known)) return known
    const seed = known === null ? await begin(deps, id, bodyHash) : await takeOver(deps, known)
    if (seed !== undefined) return { id, seed }
    await sleep(pauseMs, undefined, { signal: AbortSignal.any([state.released, deps.closing]) }).catch(() => {
      throw new TroupeError(
        'unavailable',
        'The first request under this Idempotency-Key is still under way; try again.',
      )
    })
  }
}

async function begin(deps: Dependencies, id: string, bodyHash: string): Promise<string | undefined> {
  const seed = newSeed()
  const document = { _id: id, body_hash: bodyHash, seed, status: null, response: null, created_at: new Date() }
  try {
    await deps.store.idempotency.insertOne({ ...document, leased_until: leaseEnd() })
    return seed
  } catch (error) {
    if (codeOf(error) === DUPLICATE_KEY) return undefined
    throw error
  }
}

/** Takes over from a process that died or gave up. What it may have created is found again under its seed. */
async function takeOver(deps: Dependencies, known: IdempotencyDocument): Promise<string | undefined> {
  const { _id, seed, leased_until } = known
  if (leased_until > new Date()) return undefined
  const filter = { _id, seed, status: null, leased_until }
  const { modifiedCount } = await deps.store.idempotency.updateOne(filter, { $set: { leased_until: leaseEnd() } })
  return modifiedCount === 1 ? seed : undefined
}

async function answerUnderLease(
  deps: Dependencies,
  ctx: Context,
  { id, seed }: Claim,
  next: () => Promise<unknown>,
): Promise<void> {
  const { idempotency: keys } = deps.store
  const mine = { _id: id, seed, status: null }
  const renewal = setInterval(() => {
    keys.updateOne(mine, { $set: { leased_until: leaseEnd() } }).catch(() => {})
  }, RENEWAL_MS)
  try {
    await next()
    const text = ctx.body instanceof JsonText ? await ctx.body.text() : JSON.stringify(ctx.body)
    ctx.body = new JsonText(text)
    await keep(deps, id, seed, text)
  } catch (error) {
    await giveBack(deps, mine, error)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** The work is done and its answer is right: a failure to keep it costs only that the next try asks again. */
async function keep(deps: Dependencies, id: string, seed: string, text: string): Promise<void> {
  try {
    const response = JSON.stringify(await deps.contents.put(`idempotency/${id}.json`, text))
    await deps.store.idempotency.updateOne({ _id: id, seed, status: null }, { $set: { status: 200, response } })
  } catch (error) {
    deps.log.warn({ reason: messageOf(error) }, 'an answer under an Idempotency-Key could not be kept')
  }
}

/** A refused request leaves the key unused; one that failed leaves its seed, because it may have created something. */
async function giveBack(deps: Dependencies, mine: object, error: unknown): Promise<void> {
  const { idempotency: keys } = deps.store
  const refused = ['bad_request', 'not_found', 'conflict'].includes(String(codeOf(error)))
  const done = refused ? keys.deleteOne(mine) : keys.updateOne(mine, { $set: { leased_until: RELEASED } })
  // When MongoDB is away the lease runs out by itself.
  await done.catch(() => {})
}

function isAnswered(known: IdempotencyDocument | null): known is Answered {
  return known !== null && known.response !== null
}

function leaseEnd(): Date {
  return new Date(Date.now() + LEASE_MS)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
