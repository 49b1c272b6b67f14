import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import { FeedSource } from './source.ts'
import { FeedTopics, type FeedSubscriber, type FeedTopic } from './topics.ts'

/** One change stream a process, fanned out in memory. */
export interface Feed {
  /** Resolves when the change stream is open: what is committed from then on is delivered. */
  ready: () => Promise<void>
  /** Adds a subscriber; the returned function removes it. */
  subscribe: (topic: FeedTopic, subscriber: FeedSubscriber) => () => void
  close: () => Promise<void>
}

export interface FeedOptions {
  store: Store
  log: Log
}

/**
 * Opens the change stream of a process and keeps it open for as long as the process lives, through every interruption of
 * MongoDB. Subscribers get what is committed after `ready`; delivery is synchronous, in the order of commits, and a
 * subscriber that throws harms nobody else. After an interruption that the server could not resume, an event can be
 * delivered that a subscriber has seen in the collection already: they recognise it by its id.
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
