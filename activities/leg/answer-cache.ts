import { createHash } from 'node:crypto'
import type { CacheSetting } from '../../agents/definition.ts'
import { messageOf } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json.ts'
import { MAX_CACHED_CHARACTERS } from '../../store/connect.ts'
import type { ActivityDependencies } from '../dependencies.ts'

/** Answers of equal calls, shared by all executions. */
export interface AnswerCache<Answer> {
  /** The kept answer; undefined where there is none, or where the setting is off. */
  find: () => Promise<Answer | undefined>
  /** Never fails: an answer that could not be kept is asked for again. */
  keep: (answer: Answer) => Promise<void>
}

/**
 * The cache of one call.
 * @param identity - everything that can change the answer.
 */
export function answerCache<Answer>(
  { store, log }: ActivityDependencies,
  setting: CacheSetting | undefined,
  identity: unknown[],
): AnswerCache<Answer> {
  if (setting === undefined || setting === false) {
    return { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() }
  }
  const id = createHash('sha256').update(canonicalJson(identity)).digest('hex')
  return {
    async find() {
      const now = new Date()
      const found = await store.cache.findOne({ _id: id, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] })
      return found === null ? undefined : (JSON.parse(found.answer) as Answer)
    },
    async keep(answer) {
      const at = new Date()
      const text = JSON.stringify(answer)
      if (text.length > MAX_CACHED_CHARACTERS) return
      const expires_at = setting === true ? null : new Date(at.getTime() + setting.ttlSeconds * 1000)
      await store.cache
        .replaceOne({ _id: id }, { answer: text, at, expires_at }, { upsert: true })
        .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'an answer was not kept in the cache'))
    },
  }
}
