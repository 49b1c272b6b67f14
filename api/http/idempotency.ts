import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import { TroupeError, codeOf, messageOf } from '../../core/errors.ts'
import { newSeed } from './seeded-ids.ts'
import type { IdempotencyDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Caller } from './api-keys.ts'
import { isDuplicateKey } from '../../store/mongodb/duplicate-key.ts'

const LEASE_MS = 10_000
const RENEWAL_MS = 3_000
const MAX_PAUSE_MS = 500
/** Marks a released lease, so that a repeated request need not wait for its expiry. */
const RELEASED = new Date(0)

type Answered = IdempotencyDocument & { facts: string }

/**
 * Executes a submission once. All ids are derived from the seed. With an Idempotency-Key, the facts of the first successful
 * response are stored; a repeated request gets the same response, and a concurrent one waits for the first. If a process
 * dies in between, the stored seed ensures that the next attempt creates nothing twice.
 * @param submit - returns the facts from which the response is built, as plain JSON.
 * @throws TroupeError bad_request for a malformed key, conflict for a key that was used with a different body
 */
export async function submitOnce<Facts>(
  deps: Dependencies,
  ctx: Context,
  submit: (seed: string) => Promise<Facts>,
): Promise<{ seed: string; facts: Facts }> {
  if (!('idempotency-key' in ctx.headers)) {
    const seed = newSeed()
    return { seed, facts: await submit(seed) }
  }
  const key = ctx.get('Idempotency-Key')
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new TroupeError('bad_request', 'Idempotency-Key must be 1 to 255 printable characters.')
  }
  const claim = await claimKey(deps, ctx, key)
  if ('facts' in claim) return { seed: claim.seed, facts: JSON.parse(claim.facts) as Facts }
  return { seed: claim.seed, facts: await submitUnderLease(deps, claim, submit) }
}

interface Claim {
  id: string
  seed: string
}

/** Returns the stored facts, or a claim to execute the submission. Waits while another request holds the claim. */
async function claimKey(deps: Dependencies, ctx: Context, key: string): Promise<Claim | Answered> {
  const { method, state } = ctx
  // The router ignores a trailing slash, so it must not matter here either.
  const path = ctx.path.replace(/\/$/, '')
  const id = sha256(JSON.stringify([(state.caller as Caller).keyDigest, method, path, key]))
  const bodyHash = state.bodyHash as string
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const known = await deps.store.idempotency.findOne({ _id: id })
    if (known !== null && known.body_hash !== bodyHash) {
      throw new TroupeError('conflict', 'The Idempotency-Key was used with a different body; use a new key.')
    }
    if (isAnswered(known)) return known
    const seed = known === null ? await begin(deps, id, bodyHash) : await takeOver(deps, known)
    if (seed !== undefined) return { id, seed }
    await sleep(pauseMs, undefined, { signal: AbortSignal.any([state.responseClosed, deps.waitsEnd]) }).catch(() => {
      throw new TroupeError(
        'unavailable',
        'The first request with this Idempotency-Key is still in progress; try again.',
      )
    })
  }
}

async function begin(deps: Dependencies, id: string, bodyHash: string): Promise<string | undefined> {
  const seed = newSeed()
  const document = { _id: id, body_hash: bodyHash, seed, facts: null, created_at: new Date() }
  try {
    await deps.store.idempotency.insertOne({ ...document, leased_until: leaseEnd() })
    return seed
  } catch (error) {
    if (isDuplicateKey(error)) return undefined
    throw error
  }
}

/** Takes over from a process that died or gave up. The seed finds what that process may have created. */
async function takeOver(deps: Dependencies, known: IdempotencyDocument): Promise<string | undefined> {
  const { _id, seed, leased_until } = known
  if (leased_until > new Date()) return undefined
  const filter = { _id, seed, facts: null, leased_until }
  const { modifiedCount } = await deps.store.idempotency.updateOne(filter, { $set: { leased_until: leaseEnd() } })
  return modifiedCount === 1 ? seed : undefined
}

async function submitUnderLease<Facts>(
  deps: Dependencies,
  { id, seed }: Claim,
  submit: (seed: string) => Promise<Facts>,
): Promise<Facts> {
  const { idempotency: keys } = deps.store
  const mine = { _id: id, seed, facts: null }
  const renewal = setInterval(() => {
    keys.updateOne(mine, { $set: { leased_until: leaseEnd() } }).catch(() => {})
  }, RENEWAL_MS)
  try {
    const facts = await submit(seed)
    await keep(deps, mine, JSON.stringify(facts))
    return facts
  } catch (error) {
    await giveBack(deps, mine, error)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Stores the facts. A failure is only logged, because the work is done; a repeated request then executes again under the same seed. */
async function keep(deps: Dependencies, mine: object, facts: string): Promise<void> {
  try {
    await deps.store.idempotency.updateOne(mine, { $set: { facts } })
  } catch (error) {
    deps.log.warn({ error: messageOf(error) }, 'cannot keep an answer under its Idempotency-Key')
  }
}

/** A refused request leaves the key unused; one that failed leaves its seed, because it may have created something. */
async function giveBack(deps: Dependencies, mine: object, error: unknown): Promise<void> {
  const { idempotency: keys } = deps.store
  const refused = ['bad_request', 'forbidden', 'not_found', 'conflict'].includes(String(codeOf(error)))
  const done = refused ? keys.deleteOne(mine) : keys.updateOne(mine, { $set: { leased_until: RELEASED } })
  // While MongoDB is unreachable, the lease expires on its own.
  await done.catch(() => {})
}

function isAnswered(known: IdempotencyDocument | null): known is Answered {
  return known !== null && typeof known.facts === 'string'
}

function leaseEnd(): Date {
  return new Date(Date.now() + LEASE_MS)
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
