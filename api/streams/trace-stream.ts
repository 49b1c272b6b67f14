import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { endKeyOf } from '../../core/ending.ts'
import { messageOf } from '../../core/errors.ts'
import type { StateChange } from '../../store/feed/topics.ts'
import { newestTraceId } from '../../store/ledger/newest-trace-id.ts'
import type { Dependencies } from '../dependencies.ts'
import { Channel } from './channel.ts'
import type { Payload } from './complete.ts'
import { outlineMessage, tracesMessage } from './messages.ts'
import { CLOSE, Peer, refuse } from './peer.ts'
import type { Subject } from './subjects.ts'

export interface TraceStreamOptions {
  deps: Pick<Dependencies, 'store' | 'feed' | 'log'>
  subject: Subject
  payload: Payload
  /** Called when the last client has left. */
  onEmpty: () => void
}

const RETRY_MS = 1_000

/** The trace stream of one execution or batch: its channel of clients, and `complete` whenever it has ended. */
export class TraceStream {
  readonly #options: TraceStreamOptions
  readonly #channel: Channel
  readonly #opened: Promise<void>
  /** Whether the subject has ended according to the feed; each end is read from the database before it is reported. */
  #ended = false
  /** A task that has not stopped yet; when it stops, the end of its batch is read again. */
  #stoppingTask: string | undefined
  #leaveTask: () => void = () => {}
  #closed = false
  #checking = false
  #checkAgain = false

  constructor(options: TraceStreamOptions) {
    const { deps, subject, payload, onEmpty } = options
    this.#options = options
    this.#channel = new Channel({
      deps,
      topic: subject.topic,
      filter: subject.filter,
      encode: payload === 'none' ? outlineMessage : tracesMessage,
      firstAtOnce: true,
      onState: (change) => this.#changed(change),
      onGap: () => this.#check(),
      onCaughtUp: () => {
        if (this.#ended) this.#check()
      },
      onEmpty: () => {
        this.#closed = true
        this.#leaveTask()
        onEmpty()
      },
    })
    this.#opened = this.#open()
  }

  /** Serves a client until its socket closes. */
  async join(socket: WebSocket, afterId: number): Promise<void> {
    const peer = new Peer(socket, afterId)
    this.#channel.add(peer)
    await this.#opened
    await this.#channel.catchUp(peer, { announce: true })
  }

  /** Reads the subject; if it is unknown or cannot be read, closes the stream for all waiting clients. */
  async #open(): Promise<void> {
    const { subject, deps } = this.#options
    try {
      const found = await subject.load()
      if (found === undefined) this.#refuse(`The ${subject.kind} ${subject.id} does not exist.`)
      else this.#ended = endKeyOf(found.state) !== undefined
    } catch (error) {
      deps.log.warn({ error: messageOf(error) }, 'cannot open a trace stream')
      this.#refuse('The database cannot be reached; try again later.', CLOSE.tryAgainLater)
    }
  }

  #refuse(sentence: string, code?: number): void {
    for (const { socket } of this.#channel.peers) refuse(socket, sentence, code)
    // The next client starts a new attempt.
    this.#options.onEmpty()
  }

  #changed({ status, completed_at: completedAt }: StateChange): void {
    if (completedAt === null || status === 'running') this.#ended = false
    else this.#check()
  }

  /** Reads whether the subject has ended and reports a new end to the clients; one read at a time. */
  #check(): void {
    this.#checkAgain = true
    if (this.#checking) return
    this.#checking = true
    void this.#checkUntilDone()
  }

  async #checkUntilDone(): Promise<void> {
    while (this.#checkAgain && !this.#closed) {
      this.#checkAgain = false
      try {
        await this.#tell()
      } catch (error) {
        this.#options.deps.log.warn({ error: messageOf(error) }, 'cannot report the end of a stream; retrying')
        this.#checkAgain = true
        await sleep(RETRY_MS)
      }
    }
    this.#checking = false
  }

  async #tell(): Promise<void> {
    const { deps, subject, payload } = this.#options
    const found = await subject.load()
    const key = found && endKeyOf(found.state)
    // A client that connects after the end or the deletion is informed at once.
    this.#ended = found === undefined || key !== undefined
    this.#waitFor(found?.stoppingTask)
    if (this.#stoppingTask !== undefined) return
    const isWaiting = (peer: Peer): boolean => peer.live && peer.toldEnding !== key
    if (found === undefined) return this.#refuseWaiting()
    if (key === undefined || ![...this.#channel.peers].some(isWaiting)) return
    const message = Buffer.from(await found.complete(payload))
    const primary = { readConcern: 'majority', readPreference: 'primary' } as const
    const newestId = await newestTraceId(deps.store, subject.filter, primary)
    await this.#channel.flush()
    await this.#channel.each((peer) => {
      if (!isWaiting(peer)) return
      if (peer.sentId < newestId) {
        // The database contained the end before the feed delivered the last events; the end is read again after them.
        this.#channel.catchUp(peer, { announce: false }).catch((error: unknown) => {
          deps.log.error({ err: error }, 'stream failed')
          refuse(peer.socket, 'The stream failed; try again later.', CLOSE.tryAgainLater)
        })
        return
      }
      peer.toldEnding = key
      peer.send(message)
    })
  }

  /** After a deletion, closes clients that still wait for the end; the others may stay connected. */
  #refuseWaiting(): void {
    const { kind, id } = this.#options.subject
    const waiting = [...this.#channel.peers].filter(({ live, toldEnding }) => live && toldEnding === undefined)
    for (const { socket } of waiting) refuse(socket, `The ${kind} ${id} was deleted.`)
  }

  /** Reads the end again when a task has stopped, and at once, because it may already have stopped. */
  #waitFor(task: string | undefined): void {
    if (task === this.#stoppingTask || this.#closed) return
    this.#leaveTask()
    this.#stoppingTask = task
    if (task === undefined) return
    this.#leaveTask = this.#options.deps.feed.subscribe({ job: task }, { onState: () => this.#check() })
    this.#check()
  }
}
