import { createHash } from 'node:crypto'
import type { CacheSetting } from '../../agents/definition.ts'
import { canonicalJson } from '../../core/json.ts'
import type { Lease } from '../../store/spending/answers.ts'
import type { Leg } from '../attempt/leg.ts'

/** The cache of one call. */
export interface AnswerCache<Answer> {
  /**
   * The answer of an equal call; waits while one is being made, by any worker. Undefined where there is none, or where the
   * setting is off: the call is this one's to make.
   */
  find: () => Promise<Answer | undefined>
  /** Keeps the answer that was made. Never fails. */
  keep: (answer: Answer) => Promise<void>
  /** Leaves the call to others, where no answer was kept. */
  release: () => Promise<void>
}

/** What tells calls apart, and what the cache of one is for. */
export interface CachedCall {
  agent: string
  /** Hash of the agent's definition: part of the identity unless the scope is `all`. */
  fingerprint: string
  /** Everything else that can change the answer. */
  identity: unknown[]
}

/** The cache of one call, as its setting says. */
export function answerCache<Answer>(
  { deps, attempt, execution }: Leg,
  setting: CacheSetting | undefined,
  { agent, fingerprint, identity }: CachedCall,
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
      const claim = await attempt.place.rest(() => deps.answers.claim(id, agent, attempt.signal, isFresh))
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
