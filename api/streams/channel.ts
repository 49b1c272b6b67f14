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
  /** Its events in the collection. */
  filter: Filter<TraceDocument>
  /** What of an event its messages need; everything when left out. */
  projection?: Document
  encode: (traces: TraceDocument[]) => string
  /** Whether the first event after a pause goes out at once, or waits for company. */
  firstAtOnce: boolean
  onState?: FeedSubscriber['onState']
  onGap?: FeedSubscriber['onGap']
  /** A client has everything up to now. */
  onCaughtUp?: (peer: Peer) => void
  /** The last client has left; the channel is closed. */
  onEmpty: () => void
}

/** Time between two messages to the same client. */
const COALESCE_MS = 100
/** A message of the past has at most this many events, or is cut at this length; the first one finds out about sizes. */
const FIRST_EVENTS = 50
const CHUNK_EVENTS = 500
const CHUNK_BYTES = 1_048_576
/** Clients that are sent to before other work gets its turn. */
const SLICE = 500
const RETRY_MS = 1_000

/**
 * The clients of one stream. What is new is made into a message once and shared by all that have everything before it; a
 * client that has not yet is caught up from the collection, chunk by chunk at its own pace, while only the position of the
 * live events is kept for it.
 */
export class Channel {
  readonly peers = new Set<Peer>()
  readonly #options: ChannelOptions
  readonly #unsubscribe: () => void
  #pending: TraceDocument[] = []
  /** Highest id that was handed to the live clients; whoever has less is not live. */
  #flushedId = 0
  #flushedAt = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  /** Subscribes at once: whatever is committed from here on is either read or handed out. */
  constructor(options: ChannelOptions) {
    this.#options = options
    this.#unsubscribe = options.deps.feed.subscribe(options.topic, {
      onTraces: (traces) => this.#add(traces),
      onState: options.onState,
      onGap: options.onGap,
    })
  }

  /** Position of the newest event that the feed has told. */
  get newestId(): number {
    return this.#pending.at(-1)?._id ?? this.#flushedId
  }

  /** Adds a client, not live yet; it leaves by itself when its socket closes. */
  add(peer: Peer): void {
    this.peers.add(peer)
    peer.socket.once('close', () => this.remove(peer))
  }

  remove(peer: Peer): void {
    if (this.peers.delete(peer) && this.peers.size === 0) this.#close()
  }

  /**
   * Sends the past after the client's position and makes it live.
   * @param announce - also sends a message when there is no past.
   */
  async catchUp(peer: Peer, { announce }: { announce: boolean }): Promise<void> {
    peer.live = false
    let silent = !announce
    let maxEvents = FIRST_EVENTS
    while (peer.isOpen) {
      // What was handed out before the read is in it, unless it has been deleted meanwhile.
      const seenId = this.#flushedId
      const chunk = await this.#read(peer, maxEvents)
      if (chunk === undefined || !peer.isOpen) return
      const { traces, more } = chunk
      maxEvents = nextEvents(chunk)
      peer.sentId = Math.max(peer.sentId, idOfLast(traces), more ? 0 : seenId)
      // Decided in the same turn in which the answer came: nothing can be handed out in between.
      peer.live = !more && this.#flushedId <= peer.sentId
      const sent = traces.length > 0 || !silent ? peer.sendAndWait(this.#encode(traces)) : undefined
      silent = true
      if (peer.live) return this.#options.onCaughtUp?.(peer)
      await sent
    }
  }

  /** Hands out what waits for its time. */
  async flush(): Promise<void> {
    await this.#flushing
    this.#handOut()
    await this.#flushing
  }

  /** Does something for each client, letting other work have its turn now and then. */
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
      .catch((error: unknown) => this.#options.deps.log.error({ err: error }, 'trace events could not be sent'))
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

  /** Reads a chunk, trying for as long as the client stays; undefined when it has left. */
  async #read({ sentId, socket }: Peer, maxEvents: number): Promise<Chunk | undefined> {
    const { deps, filter, projection } = this.#options
    while (socket.readyState === socket.OPEN) {
      try {
        const limits = { afterId: sentId, maxEvents, maxBytes: CHUNK_BYTES }
        return await readTraces({ store: deps.store, filter, projection, ...limits })
      } catch (error) {
        deps.log.warn({ error: messageOf(error) }, 'past trace events could not be read; trying again')
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

/** As many events as fill the next message, if they are like those of the last one. */
function nextEvents({ traces, bytes }: Chunk): number {
  return Math.max(1, Math.min(CHUNK_EVENTS, Math.floor((traces.length * CHUNK_BYTES) / Math.max(1, bytes))))
}
