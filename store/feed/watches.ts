import type { Store } from '../mongodb/connect.ts'
import type { FeedTopic } from './topics.ts'

/** Lifetime of a watch without renewal. */
const WATCH_MS = 60_000
const RENEWAL_MS = 20_000

/** One execution, or one batch. */
export type WatchTopic = Exclude<FeedTopic, 'all'>

/**
 * Records that responses are being watched, until it is stopped. It uses the server's clock, so that workers can query
 * new watches.
 */
export function keepWatching({ watches }: Store, topic: WatchTopic): () => void {
  const _id = watchId(topic)
  const renew = (): void => {
    const until = { $add: ['$$NOW', WATCH_MS] }
    // After a failed renewal the watch remains valid for two more renewals.
    watches.updateOne({ _id }, [{ $set: { until } }], { upsert: true }).catch(() => undefined)
  }
  renew()
  const timer = setInterval(renew, RENEWAL_MS)
  return () => clearInterval(timer)
}

/** Key of a watch. */
export function watchId(topic: WatchTopic): string {
  return 'job' in topic ? `job/${topic.job}` : `batch/${topic.batch}`
}
