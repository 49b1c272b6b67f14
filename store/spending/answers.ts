import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from 'mongodb'
import { codeOf, messageOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import type { Contents } from '../objects/contents.ts'
import type { CacheDocument } from '../documents.ts'
import { parseJson } from '../../core/exact-json.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'

/** The cached response of a call, or the right to make the call. */
export type Claim = { answer: unknown } | { lease: Lease }

/** The right to make a call while equal calls of all workers wait for its response. */
export interface Lease {
  /** Stores the response for equal calls. Never fails: a response that cannot be stored is produced again. */
  keep: (answer: unknown, ttlSeconds: number | undefined) => Promise<void>
  /** Returns the right if no response was stored, so that another call proceeds. */
  release: () => Promise<void>
}

/** Cached responses of equal calls; only one call at a time produces a response. */
export interface Answers {
  /** Waits while an equal call is being made anywhere. */
  claim: (id: string, agent: string, options: ClaimOptions) => Promise<Claim>
}

export interface ClaimOptions {
  signal: AbortSignal
  /** Uses no stored response and does not wait; the new response replaces the stored one. */
  isFresh: boolean
  /** The longest wait before the call is made anyway; undefined: no limit. */
  longestWaitMs: number | undefined
  /** Older responses are not used, even if they have not expired; undefined: no limit. */
  maxAgeSeconds?: number | undefined
}

export interface AnswersOptions {
  store: Store
  contents: Contents
  log: Log
}

/**
 * A lease that is not renewed for this long expires. It is longer than the time until a worker counts as dead, because
 * a suspended worker keeps its runs and continues the call.
 */
const LEASE_MS = 10_000
const RENEWAL_MS = 1_500
const POLL_MS = 250
/** The longest time of a timer. */
const FOR_EVER_MS = 2 ** 31 - 1
/** After this time, the remains of an unsuccessful call are deleted. */
const FORGOTTEN_MS = 3_600_000

/** Creates the answers of a worker. Equal calls of one worker wait for each other here; only one of them asks MongoDB. */
export function createAnswers(options: AnswersOptions): Answers {
  const flights = new Map<string, Promise<unknown>>()
  return {
    async claim(id, agent, { signal, isFresh, longestWaitMs = FOR_EVER_MS, maxAgeSeconds }) {
      if (isFresh) return { lease: unleased(options, id, agent) }
      for (const until = performance.now() + longestWaitMs; ;) {
        const flight = flights.get(flightOf({ id, maxAgeSeconds }))
        if (flight === undefined) return await lead(options, flights, { id, agent, signal, until, maxAgeSeconds })
        const left = new AbortController()
        const over = sleep(until - performance.now(), TOO_LONG, { signal: AbortSignal.any([signal, left.signal]) })
        const outcome = await Promise.race([flight, over]).finally(() => left.abort())
        if (outcome === TOO_LONG) return { lease: unleased(options, id, agent) }
        if (outcome !== undefined) return { answer: outcome }
      }
    },
  }
}

const TOO_LONG = Symbol('too long')

interface Wanted {
  id: string
  agent: string
  signal: AbortSignal
  /** A time of performance.now(). */
  until: number
  maxAgeSeconds: number | undefined
}

/** The key of a flight: calls with the same maximum age share it. */
function flightOf({ id, maxAgeSeconds }: Pick<Wanted, 'id' | 'maxAgeSeconds'>): string {
  return `${id}|${maxAgeSeconds ?? ''}`
}

/** The first of the equal calls in this worker; the others receive its outcome. */
async function lead(options: AnswersOptions, flights: Map<string, Promise<unknown>>, wanted: Wanted): Promise<Claim> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const flight = flightOf(wanted)
  flights.set(flight, promise)
  const land = (answer?: unknown): void => {
    if (flights.get(flight) === promise) flights.delete(flight)
    resolve(answer)
  }
  try {
    const claim = await claimAnywhere(options, wanted)
    if ('answer' in claim) {
      land(claim.answer)
      return claim
    }
    const { keep, release } = claim.lease
    return {
      lease: {
        keep: (answer, ttlSeconds) => keep(answer, ttlSeconds).finally(() => land(answer)),
        release: () => release().finally(() => land()),
      },
    }
  } catch (error) {
    land()
    throw error
  }
}

/** Polls while another worker produces the response. */
async function claimAnywhere(options: AnswersOptions, wanted: Wanted): Promise<Claim> {
  const { store } = options
  const { id, agent, signal, until, maxAgeSeconds } = wanted
  const lease = randomUUID()
  const isValid = validNow(maxAgeSeconds)
  for (;;) {
    const found = await store.cache.findOne({ _id: id, $expr: isValid })
    const answer = found === null ? undefined : await answerOf(options, found)
    if (answer !== undefined) return { answer }
    if (await takeLease(store, wanted, lease, isValid)) return { lease: leased(options, id, agent, lease) }
    if (performance.now() > until) return { lease: unleased(options, id, agent) }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** An expression for whether a document has a valid response. It uses the server's clock, because the workers' clocks may differ. */
function validNow(maxAgeSeconds: number | undefined): Document {
  const isKept = { $ne: [{ $ifNull: ['$answer', '$pointer', null] }, null] }
  const isExpired = { $and: [{ $ne: [{ $ifNull: ['$expires_at', null] }, null] }, { $lte: ['$expires_at', '$$NOW'] }] }
  const oldest = maxAgeSeconds !== undefined && { $subtract: ['$$NOW', maxAgeSeconds * 1_000] }
  return { $and: [isKept, { $not: isExpired }, ...(oldest ? [{ $gt: ['$at', oldest] }] : [])] }
}

/** The stored response; undefined if its object is gone. */
async function answerOf({ contents, store }: AnswersOptions, found: CacheDocument): Promise<unknown> {
  if (found.pointer === undefined) return parseJson(found.answer ?? 'null')
  try {
    return await contents.value({ pointer: found.pointer })
  } catch (error) {
    if (codeOf(error) !== 'object_lost') throw error
    await store.cache.deleteOne({ _id: found._id, 'pointer.key': found.pointer.key })
    return undefined
  }
}

/** The times of a lease that starts or is renewed now, by the server's clock. */
const lasting = {
  leased_until: { $add: ['$$NOW', LEASE_MS] },
  expires_at: { $add: ['$$NOW', FORGOTTEN_MS] },
}

/** Takes the right to make a call if there is no valid response and nobody has it. */
async function takeLease({ cache }: Store, { id, agent }: Wanted, lease: string, isValid: Document): Promise<boolean> {
  const isFree = { $and: [{ $not: isValid }, { $lte: [{ $ifNull: ['$leased_until', new Date(0)] }, '$$NOW'] }] }
  const either = (taken: unknown, field: string) => ({ $cond: ['$$free', taken, field] })
  const fresh = {
    lease,
    agent: { $literal: agent },
    at: '$$NOW',
    ...lasting,
  }
  const update = { $replaceWith: { $let: { vars: { free: isFree }, in: either({ _id: '$_id', ...fresh }, '$$ROOT') } } }
  try {
    const options = { upsert: true, returnDocument: 'after', projection: { lease: 1 } } as const
    return (await cache.findOneAndUpdate({ _id: id }, [update], options))?.lease === lease
  } catch (error) {
    // Two calls arrived at once, and the other one has the right.
    if (isDuplicateKey(error)) return false
    throw error
  }
}

function leased(options: AnswersOptions, id: string, agent: string, lease: string): Lease {
  const { cache } = options.store
  const renew = (): void => {
    const renewed = [{ $set: lasting }]
    cache.updateOne({ _id: id, lease }, renewed).catch(() => undefined)
  }
  const renewal = setInterval(renew, RENEWAL_MS)
  return {
    keep: async (answer, ttlSeconds) => {
      clearInterval(renewal)
      await keep(options, { id, agent, answer, ttlSeconds })
    },
    release: async () => {
      clearInterval(renewal)
      // If MongoDB is unavailable, the lease expires by itself. A stored response has no lease.
      await cache.deleteOne({ _id: id, lease }).catch(() => undefined)
    },
  }
}

/** Makes a call without preventing equal calls. */
function unleased(options: AnswersOptions, id: string, agent: string): Lease {
  return {
    keep: (answer, ttlSeconds) => keep(options, { id, agent, answer, ttlSeconds }),
    release: () => Promise.resolve(),
  }
}

interface Kept {
  id: string
  agent: string
  answer: unknown
  ttlSeconds: number | undefined
}

async function keep({ store, contents, log }: AnswersOptions, { id, agent, answer, ttlSeconds }: Kept): Promise<void> {
  const expires_at = ttlSeconds === undefined ? null : { $add: ['$$NOW', ttlSeconds * 1_000] }
  try {
    const content = await contents.put(`cache/${id}.${randomUUID().slice(0, 8)}.json`, answer)
    const value = 'json' in content ? { answer: content.json } : { pointer: content.pointer }
    const kept = { $mergeObjects: [{ $literal: { _id: id, ...value, agent } }, { at: '$$NOW', expires_at }] }
    await store.cache.updateOne({ _id: id }, [{ $replaceWith: kept }], { upsert: true })
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'cannot store a response in the cache')
  }
}
