import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import { FeedSource } from './source.ts'
import { FeedTopics, type FeedSubscriber, type FeedTopic } from './topics.ts'

/** The single change stream of a process, distributed in memory. */
export interface Feed {
  /** Resolves when the change stream is open. Later commits are delivered. */
  ready: () => Promise<void>
  /**
   * Adds a subscriber.
   * @returns a function that removes it.
   */
  subscribe: (topic: FeedTopic, subscriber: FeedSubscriber) => () => void
  close: () => Promise<void>
}

export interface FeedOptions {
  store: Store
  log: Log
}

/**
 * Opens the change stream of a process and keeps it open through every interruption of MongoDB. Subscribers receive all
 * commits after `ready`, synchronously and in commit order. A subscriber that throws does not affect others. After an
 * interruption that the server could not resume, an event may be delivered that a subscriber has already read from the
 * collection; the subscriber recognises it by its id.
 */
export function createFeed({ store, log }: FeedOptions): Feed {
  const topics = new FeedTopics((error) => log.error({ err: error }, 'subscriber of the feed failed'))
  const source = new FeedSource({
    store,
    log,
    onGroup: (group) => topics.deliver(group),
    onGap: () => topics.gap(),
  })
  return {
    ready: () => source.ready,
    subscribe: (topic, subscriber) => topics.add(topic, subscriber),
    close: () => source.close(),
  }
}
