import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStream, ChangeStreamDocument, Document, ResumeToken } from 'mongodb'
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import type { PartialDocument, TraceDocument } from '../documents.ts'
import type { FeedGroup, StateChange } from './topics.ts'
import { newestTraceId } from '../ledger/newest-trace-id.ts'
import { isTransient } from '../mongodb/transient.ts'

/** A change that passes the pipeline below. */
interface Change {
  operationType: 'insert' | 'update'
  ns: { coll: 'traces' | 'executions' | 'batches' | 'partials' }
  documentKey: { _id: unknown }
  fullDocument?: Document
  updateDescription?: { updatedFields?: { status?: StateChange['status']; completed_at?: Date | null } }
}

export interface FeedSourceOptions {
  store: Store
  log: Log
  onGroup: (group: FeedGroup) => void
  /** Called after an interruption that the server could not resume, when the missed events have been delivered. */
  onGap: () => void
}

const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000
const REREAD_GROUP = 500

const stateChanged = {
  $or: [
    { 'updateDescription.updatedFields.status': { $exists: true } },
    { 'updateDescription.updatedFields.completed_at': { $exists: true } },
  ],
}

/** The server sends only the changes and fields that a subscriber may need. */
const PIPELINE: Document[] = [
  {
    $match: {
      $or: [
        { operationType: 'insert', 'ns.coll': { $in: ['traces', 'batches', 'partials'] } },
        { operationType: 'update', 'ns.coll': { $in: ['executions', 'batches'] }, ...stateChanged },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      'ns.coll': 1,
      'documentKey._id': 1,
      fullDocument: 1,
      'updateDescription.updatedFields.status': 1,
      'updateDescription.updatedFields.completed_at': 1,
    },
  },
]

/**
 * Watches the database until it is closed. The driver resumes after a short interruption. After a longer one, the
 * stream is reopened at its resume token. If the server refuses the token because its log does not reach back that far,
 * a new stream is opened, and the missed trace events are read from the collection. None is lost, because ids become
 * visible in order.
 */
export class FeedSource {
  /** Resolves when the change stream is first open at the server. */
  readonly ready: Promise<void>
  readonly #options: FeedSourceOptions
  readonly #closing = new AbortController()
  readonly #done: Promise<void>
  #opened: () => void = () => {}
  #stream: ChangeStream<Document, ChangeStreamDocument> | undefined
  #token: ResumeToken | undefined
  /** Whether the stream was open before. Without a resume token it has then missed changes. */
  #wasOpen = false
  #lastTraceId: number | undefined
  /** The events of a new stream up to this id have already been read again. */
  #rereadUpTo = 0
  #backoffMs = FIRST_BACKOFF_MS
  #pending: Change[] = []

  constructor(options: FeedSourceOptions) {
    this.#options = options
    this.ready = new Promise((resolve) => (this.#opened = resolve))
    this.#done = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#stream?.close()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#watch()
      } catch (error) {
        if (signal.aborted) return
        this.#interrupted(error)
      } finally {
        await this.#stream?.close().catch(() => {})
      }
      await sleep(this.#backoffMs, undefined, { signal }).catch(() => {})
      this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS)
    }
  }

  #interrupted(error: unknown): void {
    const resumable = isTransient(error) || hasLabel(error, 'ResumableChangeStreamError')
    if (!resumable) this.#token = undefined
    this.#options.log.warn({ error: messageOf(error), resumable }, 'change stream was interrupted; reopening it')
  }

  /** Runs one change stream; ends only by throwing. */
  async #watch(): Promise<never> {
    const { store } = this.#options
    // Read before the stream opens, so that a later gap begins before any missed event.
    this.#lastTraceId ??= await newestTraceId(store, {}, { readConcern: 'majority' })
    const stream = store.db.watch<Document, ChangeStreamDocument>(
      PIPELINE,
      this.#token === undefined ? {} : { resumeAfter: this.#token },
    )
    this.#stream = stream
    if (this.#closing.signal.aborted) throw new Error('closed')
    let next = stream.next()
    // The first token arrives with the server's first response, even if that contains no change.
    await Promise.race([once(stream, 'resumeTokenChanged'), next])
    if (this.#wasOpen && this.#token === undefined) {
      next.catch(() => {})
      await this.#rereadMissed()
    }
    this.#wasOpen = true
    this.#backoffMs = FIRST_BACKOFF_MS
    this.#opened()
    this.#token = stream.resumeToken
    for (;;) {
      try {
        this.#take((await next) as unknown as Change)
      } finally {
        // Updated while idle too, so that an idle stream does not fall out of the server's log.
        this.#token = stream.resumeToken ?? this.#token
      }
      next = stream.next()
    }
  }

  /**
   * The driver emits the changes of one server response without returning to the event loop, so the group delivered on
   * the next turn contains all of them.
   */
  #take(change: Change): void {
    this.#pending.push(change)
    if (this.#pending.length === 1) setImmediate(() => this.#handOut())
  }

  #handOut(): void {
    const group: FeedGroup = { traces: [], states: [], partials: [] }
    for (const change of this.#pending.splice(0)) {
      if (change.ns.coll === 'partials') group.partials.push(change.fullDocument as PartialDocument)
      else if (change.ns.coll !== 'traces') group.states.push(stateChange(change))
      else if ((change.documentKey._id as number) > this.#rereadUpTo)
        group.traces.push(change.fullDocument as TraceDocument)
    }
    this.#lastTraceId = Math.max(this.#lastTraceId ?? 0, group.traces.at(-1)?._id ?? 0)
    this.#options.onGroup(group)
  }

  async #rereadMissed(): Promise<void> {
    const { store, onGroup, onGap } = this.#options
    const cursor = store.traces
      .find({ _id: { $gt: this.#lastTraceId ?? 0 } }, { readConcern: 'majority', batchSize: REREAD_GROUP })
      .sort({ _id: 1 })
    let traces: TraceDocument[] = []
    const handOut = (): void => {
      this.#lastTraceId = traces.at(-1)?._id ?? this.#lastTraceId
      if (traces.length > 0) onGroup({ traces, states: [], partials: [] })
      traces = []
    }
    for await (const trace of cursor) {
      traces.push(trace)
      if (traces.length >= REREAD_GROUP) handOut()
    }
    handOut()
    this.#rereadUpTo = this.#lastTraceId ?? 0
    onGap()
  }
}

function stateChange({ operationType, ns, documentKey, fullDocument, updateDescription }: Change): StateChange {
  const fields = operationType === 'insert' ? fullDocument : updateDescription?.updatedFields
  return {
    collection: ns.coll as StateChange['collection'],
    id: documentKey._id as string,
    status: fields?.status,
    completed_at: fields?.completed_at,
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return (error as { errorLabelSet?: Set<string> }).errorLabelSet?.has(label) === true
}
