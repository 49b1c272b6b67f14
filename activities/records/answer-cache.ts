import { createHash } from 'node:crypto'
import type { CacheSetting } from '../../agents/definition.ts'
import { canonicalJson } from '../../core/json.ts'
import type { Lease } from '../../store/spending/answers.ts'
import type { Leg } from '../attempt/leg.ts'

/** The cache of one call. */
export interface AnswerCache<Answer> {
  /**
   * The response of an equal call; waits while any worker makes such a call. Undefined if there is none or the cache is
   * off: the caller must then make the call.
   */
  find: () => Promise<Answer | undefined>
  /** Stores the response; never fails. */
  keep: (answer: Answer) => Promise<void>
  /** Lets other callers make the call if no response was stored. */
  release: () => Promise<void>
}

/** The identity of a call and the options of its cache. */
export interface CachedCall {
  agent: string
  /** Hash of the agent's definition: part of the identity unless the scope is `all`. */
  fingerprint: string
  /** Everything else that can change the response. */
  identity: unknown[]
  /** The call may make calls itself, which may wait for it. */
  mayCall?: boolean
}

/** The longest wait of a call that holds a place, or that a waiting call may depend on. */
const LONGEST_WAIT_MS = 900_000

/** Creates the cache of one call from its setting. */
export function answerCache<Answer>(
  { deps, attempt, execution }: Leg,
  setting: CacheSetting | undefined,
  { agent, fingerprint, identity, mayCall = false }: CachedCall,
): AnswerCache<Answer> {
  const none = () => Promise.resolve(undefined)
  if (setting === undefined || setting === false) return { find: none, keep: none, release: none }
  const { ttlSeconds = undefined, scope = 'agent' } = setting === true ? {} : setting
  const isFresh = execution.no_cache === true
  const id = createHash('sha256')
    .update(canonicalJson([scope === 'all' ? null : fingerprint, ...identity]))
    .digest('hex')
  let lease: Lease | undefined
  return {
    async find() {
      const longestWaitMs = attempt.place.mayRest && !mayCall ? undefined : LONGEST_WAIT_MS
      const options = { signal: attempt.signal, isFresh, longestWaitMs, maxAgeSeconds: ttlSeconds }
      const claim = await attempt.place.rest(() => deps.answers.claim(id, agent, options))
      if ('answer' in claim) return claim.answer as Answer
      lease = claim.lease
      return undefined
    },
    async keep(answer) {
      await lease?.keep(answer, ttlSeconds)
      lease = undefined
    },
    async release() {
      await lease?.release()
      lease = undefined
    },
  }
}
