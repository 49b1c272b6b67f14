import type { ExecutionStatus } from '../../core/execution.ts'
import type { PartialDocument, TraceDocument } from '../documents.ts'

/** A change of the state of an execution or batch. */
export interface StateChange {
  collection: 'executions' | 'batches'
  id: string
  status: ExecutionStatus | 'submitted' | undefined
  /** Set if the change reports that the run is at rest (or, with null, that a batch was revived). */
  completed_at: Date | null | undefined
}

export interface FeedSubscriber {
  /** Trace events of one commit group, in the order of their ids. */
  onTraces?: (traces: TraceDocument[]) => void
  onState?: (change: StateChange) => void
  /** A piece of a watched response that is being written, for one execution or batch. */
  onPartial?: (partial: PartialDocument) => void
  /** The stream was interrupted: state changes may be missing, while trace events were read again. */
  onGap?: () => void
}

/** The scope of a subscription: one execution, one batch, or everything. */
export type FeedTopic = { job: string } | { batch: string } | 'all'

/** Changes that were committed together or shortly after each other, in commit order. */
export interface FeedGroup {
  traces: TraceDocument[]
  states: StateChange[]
  partials: PartialDocument[]
}

type Subscribers = Set<FeedSubscriber>

/**
 * The subscribers by topic. A change is looked up by its own ids, so its cost does not depend on the number of
 * unrelated subscribers.
 */
export class FeedTopics {
  readonly #all: Subscribers = new Set()
  readonly #byJob = new Map<string, Subscribers>()
  readonly #byBatch = new Map<string, Subscribers>()
  readonly #onError: (error: unknown) => void

  /**
   * Creates the topics without subscribers.
   * @param onError - receives the errors of subscribers.
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

  /**
   * Delivers a group. Each subscriber receives its trace events at once, and state changes after the events that
   * precede them.
   */
  deliver({ traces, states, partials }: FeedGroup): void {
    // A piece of a response precedes the event that contains the whole response.
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

  /** Notifies every subscriber that state changes may be missing. */
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
