import type { Log } from '../log.ts'
import type { Store } from './connect.ts'
import type { ExecutionStatus } from '../core/execution.ts'
import type { PartialDocument, TraceDocument } from './documents.ts'
import { watchChanges } from './feed-source.ts'
import { FeedTopics } from './feed-topics.ts'

/** A change of an execution's or batch's state, as the change stream told it. */
export interface StateChange {
  collection: 'executions' | 'batches'
  id: string
  status: ExecutionStatus | 'submitted' | undefined
  /** Set when the change says that the run has really stopped (or, with null, that a batch was revived). */
  completed_at: Date | null | undefined
}

export interface FeedSubscriber {
  /** Trace events in the order of their ids, as the group that was committed together. */
  onTraces?: (traces: TraceDocument[]) => void
  onState?: (change: StateChange) => void
  /** A piece of an answer that is being written: of one execution or batch, while somebody watches. */
  onPartial?: (partial: PartialDocument) => void
  /** The stream was interrupted: state changes may have been missed, trace events were re-read. */
  onGap?: () => void
}

/** What to listen for: one execution, one batch, or everything. */
export type FeedTopic = { job: string } | { batch: string } | 'all'

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
  const topics = new FeedTopics((error) => log.error({ err: error }, 'A subscriber of the feed failed'))
  const source = watchChanges({
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
