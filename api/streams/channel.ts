import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Document, Filter } from 'mongodb'
import { messageOf } from '../../core/errors.ts'
import { streamDelaySeconds } from '../../observability/http-metrics.ts'
import type { TraceDocument } from '../../store/documents.ts'
import type { FeedSubscriber, FeedTopic } from '../../store/feed/topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Peer } from './peer.ts'
import { readTraces, type Chunk } from './read-traces.ts'

export interface ChannelOptions {
  deps: Pick<Dependencies, 'store' | 'feed' | 'log'>
  topic: FeedTopic
  /** Filter for the events of the stream. */
  filter: Filter<TraceDocument>
  /** Projection of the fields that the messages need; all fields when omitted. */
  projection?: Document
  encode: (traces: TraceDocument[]) => string
  /** Whether the first event after a pause is sent at once or waits to be sent together with others. */
  firstAtOnce: boolean
  onState?: FeedSubscriber['onState']
  onGap?: FeedSubscriber['onGap']
  /** Called when a client has received all events so far. */
  onCaughtUp?: (peer: Peer) => void
  /** Called when the last client has left and the channel is closed. */
  onEmpty: () => void
}

/** Minimum time between two messages to the same client. */
const COALESCE_MS = 100
/** Maximum number of events and size of a message with past events; the first message measures event sizes. */
const FIRST_EVENTS = 50
const CHUNK_EVENTS = 500
const CHUNK_BYTES = 1_048_576
/** Number of clients that are served before other work gets a turn of the event loop. */
const SLICE = 500
const RETRY_MS = 1_000

/**
 * The clients of one stream. New events become one message that is shared by all clients that have received everything before.
 * Other clients catch up from the collection, chunk by chunk at their own pace; meanwhile only the position of the
 * live events is kept for them.
 */
export class Channel {
  readonly peers = new Set<Peer>()
  readonly #options: ChannelOptions
  readonly #unsubscribe: () => void
  #pending: TraceDocument[] = []
  /** Highest id that was sent to the live clients; a client with a lower position is not live. */
  #flushedId = 0
  #flushedAt = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  /** Subscribes at once, so that every later event is either read or delivered live. */
  constructor(options: ChannelOptions) {
    this.#options = options
    this.#unsubscribe = options.deps.feed.subscribe(options.topic, {
      onTraces: (traces) => this.#add(traces),
      onState: options.onState,
      onGap: options.onGap,
    })
  }

  /** Id of the newest event from the feed. */
  get newestId(): number {
    return this.#pending.at(-1)?._id ?? this.#flushedId
  }

  /** Adds a client, not live yet; it is removed when its socket closes. */
  add(peer: Peer): void {
    this.peers.add(peer)
    peer.socket.once('close', () => this.remove(peer))
  }

  remove(peer: Peer): void {
    if (this.peers.delete(peer) && this.peers.size === 0) this.#close()
  }

  /**
   * Sends the past events after the client's position and makes the client live.
   * @param announce - also sends a message when there are no past events.
   */
  async catchUp(peer: Peer, { announce }: { announce: boolean }): Promise<void> {
    peer.live = false
    let silent = !announce
    let maxEvents = FIRST_EVENTS
    while (peer.isOpen) {
      // The read contains all events that were delivered before it, unless they have been deleted.
      const seenId = this.#flushedId
      const chunk = await this.#read(peer, maxEvents)
      if (chunk === undefined || !peer.isOpen) return
      const { traces, more } = chunk
      maxEvents = nextEvents(chunk)
      peer.sentId = Math.max(peer.sentId, idOfLast(traces), more ? 0 : seenId)
      // Decided in the same turn of the event loop as the read, so that no event can be delivered in between.
      peer.live = !more && this.#flushedId <= peer.sentId
      const sent = traces.length > 0 || !silent ? peer.sendAndWait(this.#encode(traces)) : undefined
      silent = true
      if (peer.live) return this.#options.onCaughtUp?.(peer)
      await sent
    }
  }

  /** Delivers the pending events. */
  async flush(): Promise<void> {
    await this.#flushing
    this.#handOut()
    await this.#flushing
  }

  /** Runs an action for each client and lets other work run in between. */
  async each(act: (peer: Peer) => void): Promise<void> {
    let count = 0
    for (const peer of this.peers) {
      act(peer)
      count += 1
      if (count % SLICE === 0) await nextTurn()
    }
  }

  #add(traces: TraceDocument[]): void {
    for (const trace of traces) this.#pending.push(trace)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#flushing !== undefined || this.#pending.length === 0) return
    const waitMs = this.#options.firstAtOnce ? this.#flushedAt + COALESCE_MS - performance.now() : COALESCE_MS
    if (waitMs <= 0) this.#handOut()
    else this.#timer = setTimeout(() => this.#handOut(), waitMs)
  }

  #handOut(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const traces = this.#pending
    const firstId = traces[0]?._id
    if (firstId === undefined) return
    this.#pending = []
    this.#flushedId = idOfLast(traces)
    this.#flushedAt = performance.now()
    this.#flushing = this.#broadcast(traces, firstId)
      .catch((error: unknown) => this.#options.deps.log.error({ err: error }, 'cannot send trace events'))
      .finally(() => {
        this.#flushing = undefined
        this.#schedule()
      })
  }

  async #broadcast(traces: TraceDocument[], firstId: number): Promise<void> {
    const lastId = idOfLast(traces)
    let shared: Buffer | undefined
    let sent = false
    await this.each((peer) => {
      if (!peer.live || peer.sentId >= lastId) return
      const hasNone = peer.sentId < firstId
      peer.send(
        hasNone ? (shared ??= this.#encode(traces)) : this.#encode(traces.filter(({ _id: id }) => id > peer.sentId)),
      )
      peer.sentId = lastId
      sent = true
    })
    const oldest = traces[0]?.timestamp
    if (sent && oldest !== undefined) streamDelaySeconds.observe((Date.now() - oldest.getTime()) / 1_000)
  }

  #encode(traces: TraceDocument[]): Buffer {
    return Buffer.from(this.#options.encode(traces))
  }

  /** Reads a chunk, with retries while the client is connected; undefined when it has left. */
  async #read({ sentId, socket }: Peer, maxEvents: number): Promise<Chunk | undefined> {
    const { deps, filter, projection } = this.#options
    while (socket.readyState === socket.OPEN) {
      try {
        const limits = { afterId: sentId, maxEvents, maxBytes: CHUNK_BYTES }
        return await readTraces({ store: deps.store, filter, projection, ...limits })
      } catch (error) {
        deps.log.warn({ error: messageOf(error) }, 'cannot read past trace events; retrying')
        await sleep(RETRY_MS)
      }
    }
    return undefined
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#pending = []
    this.#unsubscribe()
    this.#options.onEmpty()
  }
}

function idOfLast(traces: TraceDocument[]): number {
  return traces.at(-1)?._id ?? 0
}

/** Estimates how many events fill the next message from the sizes in the last one. */
function nextEvents({ traces, bytes }: Chunk): number {
  return Math.max(1, Math.min(CHUNK_EVENTS, Math.floor((traces.length * CHUNK_BYTES) / Math.max(1, bytes))))
}
