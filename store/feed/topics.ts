import type { ExecutionStatus } from '../../core/execution.ts'
import type { PartialDocument, TraceDocument } from '../documents.ts'

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

/** Changes that were committed together or closely after each other, in the order of their commits. */
export interface FeedGroup {
  traces: TraceDocument[]
  states: StateChange[]
  partials: PartialDocument[]
}

type Subscribers = Set<FeedSubscriber>

/**
 * Who listens for what. A change is looked up by its own ids, so its cost does not depend on the number of subscribers
 * that it does not concern.
 */
export class FeedTopics {
  readonly #all: Subscribers = new Set()
  readonly #byJob = new Map<string, Subscribers>()
  readonly #byBatch = new Map<string, Subscribers>()
  readonly #onError: (error: unknown) => void

  /**
   * Begins without subscribers.
   * @param onError - gets what a subscriber threw.
   */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /**
   * Adds a subscriber.
   * @returns a function that removes it again.
   */
  add(topic: FeedTopic, subscriber: FeedSubscriber): () => void {
    if (topic === 'all') {
      this.#all.add(subscriber)
      return () => this.#all.delete(subscriber)
    }
    return 'job' in topic ? addTo(this.#byJob, topic.job, subscriber) : addTo(this.#byBatch, topic.batch, subscriber)
  }

  /** Hands out a group; each subscriber gets its trace events at once, and state changes after the events they follow. */
  deliver({ traces, states, partials }: FeedGroup): void {
    // A piece of an answer comes before the event that has all of it.
    for (const partial of partials) {
      const { job_id, batch_id = '' } = partial
      this.#each(this.#byJob.get(job_id), (subscriber) => subscriber.onPartial?.(partial))
      this.#each(this.#byBatch.get(batch_id), (subscriber) => subscriber.onPartial?.(partial))
    }
    if (traces.length > 0) {
      this.#each(this.#all, (subscriber) => subscriber.onTraces?.(traces))
      this.#deliverBy(this.#byJob, traces, (trace) => trace.job_id)
      this.#deliverBy(this.#byBatch, traces, (trace) => trace.batch_id)
    }
    for (const change of states) {
      const topics = change.collection === 'executions' ? this.#byJob : this.#byBatch
      this.#each(topics.get(change.id), (subscriber) => subscriber.onState?.(change))
      this.#each(this.#all, (subscriber) => subscriber.onState?.(change))
    }
  }

  /** Tells every subscriber that state changes may have been missed. */
  gap(): void {
    for (const subscribers of [this.#all, ...this.#byJob.values(), ...this.#byBatch.values()]) {
      this.#each(subscribers, (subscriber) => subscriber.onGap?.())
    }
  }

  #deliverBy(
    topics: Map<string, Subscribers>,
    traces: TraceDocument[],
    keyOf: (trace: TraceDocument) => string | undefined,
  ): void {
    if (topics.size === 0) return
    const wanted = new Map<string, TraceDocument[]>()
    for (const trace of traces) {
      const key = keyOf(trace)
      if (key === undefined || !topics.has(key)) continue
      const part = wanted.get(key)
      if (part === undefined) wanted.set(key, [trace])
      else part.push(trace)
    }
    for (const [key, part] of wanted) this.#each(topics.get(key), (subscriber) => subscriber.onTraces?.(part))
  }

  #each(subscribers: Subscribers | undefined, tell: (subscriber: FeedSubscriber) => void): void {
    for (const subscriber of subscribers ?? []) {
      try {
        tell(subscriber)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}

function addTo(topics: Map<string, Subscribers>, key: string, subscriber: FeedSubscriber): () => void {
  const subscribers = topics.get(key) ?? new Set()
  topics.set(key, subscribers.add(subscriber))
  return () => {
    subscribers.delete(subscriber)
    if (subscribers.size === 0 && topics.get(key) === subscribers) topics.delete(key)
  }
}
