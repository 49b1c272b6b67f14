import { parseJson } from '../core/exact-json.ts'

/** The state of a stream's connection, for display to users. */
export interface ConnectionState {
  status:
    /** The first handshake is in progress. */
    | 'connecting'
    /** The stream receives live messages. */
    | 'open'
    /** The connection is lost and the client will reconnect; no message is lost meanwhile. */
    | 'disconnected'
    /** The stream has ended, or its reader has stopped. */
    | 'closed'
  /** Start of this state, in milliseconds since 1970. */
  since: number
  /** Number of failed attempts since the connection was lost. */
  attempt: number
  /** Time of the next attempt, in milliseconds since 1970; null unless disconnected. */
  retryAt: number | null
}

/** How a socket ended. */
export interface SocketEnd {
  /** WebSocket close code; 1006 when the connection broke. */
  code: number
  /** Whether the handshake had succeeded. */
  opened: boolean
}

/** The URL of a WebSocket, and the headers of its handshake on platforms that can send them. */
export interface SocketAddress {
  url: string
  headers?: Record<string, string> | undefined
}

/** Limits of one connection. */
export interface ConnectionOptions {
  /** Maximum number of unread messages; above it the socket is closed, and reopened when they have been read. */
  maxWaiting: number
  /** Milliseconds without a message after which the socket is considered dead. */
  idleTimeoutMs: number
  /** Timeout of the handshake in milliseconds. */
  connectTimeoutMs: number
  signal?: AbortSignal | undefined
}

/** Close code of a WebSocket that was not closed properly. */
const BROKEN = 1006

type WebSocketClass = new (url: string, options?: unknown) => WebSocket

/** Why the client closed a socket; undefined when the service or the network did. */
export type OwnClose = 'overflow' | 'idle' | 'unopened' | 'left'

/** One WebSocket with its unread messages. Memory is bounded: see {@link ConnectionOptions.maxWaiting}. */
export class Connection {
  /** Resolves when the handshake has succeeded, or the socket has ended. */
  readonly opened: Promise<void>
  readonly #settled = Promise.withResolvers<void>()
  ownClose: OwnClose | undefined
  readonly #socket: WebSocket
  readonly #options: ConnectionOptions
  readonly #waiting: unknown[] = []
  #end: SocketEnd | undefined
  #isOpen = false
  #changed = Promise.withResolvers<void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ url, headers }: SocketAddress, options: ConnectionOptions) {
    this.#options = options
    // Node accepts headers in the place of the protocols of browsers.
    const Socket = WebSocket as unknown as WebSocketClass
    this.#socket = headers === undefined ? new Socket(url) : new Socket(url, { headers })
    this.opened = this.#settled.promise
    this.#listen()
    this.#expect(options.connectTimeoutMs, 'unopened')
    options.signal?.addEventListener('abort', this.#leave, { once: true })
  }

  /** How the socket ended; undefined while it is open or has unread messages. */
  get end(): SocketEnd | undefined {
    return this.#waiting.length === 0 ? this.#end : undefined
  }

  /** Resolves with the next messages, at least one; none when the socket has ended. */
  async read(): Promise<unknown[]> {
    while (this.#waiting.length === 0 && this.#end === undefined) await this.#changed.promise
    return this.#waiting.splice(0)
  }

  /** Closes the connection now and drops unread messages. */
  close(ownClose: OwnClose = 'left'): void {
    if (this.#end !== undefined) return
    this.ownClose = ownClose
    // A dead peer never confirms the close, so the socket counts as closed from now on.
    this.#finish(BROKEN)
    this.#socket.close()
  }

  #leave = (): void => {
    this.#waiting.length = 0
    this.close()
  }

  #listen(): void {
    const socket = this.#socket
    socket.onopen = () => {
      this.#isOpen = true
      this.#expect(this.#options.idleTimeoutMs, 'idle')
      this.#settled.resolve()
    }
    socket.onmessage = ({ data }) => {
      if (this.#end !== undefined) return
      this.#expect(this.#options.idleTimeoutMs, 'idle')
      this.#waiting.push(parseJson(String(data)))
      this.#change()
      if (this.#waiting.length > this.#options.maxWaiting) this.close('overflow')
    }
    // Node 22 emits no close event after a failed handshake.
    socket.onerror = () => {
      if (!this.#isOpen) this.#finish(BROKEN)
    }
    socket.onclose = ({ code }) => this.#finish(code)
  }

  #finish(code: number): void {
    if (this.#end !== undefined) return
    this.#end = { code, opened: this.#isOpen }
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#leave)
    this.#settled.resolve()
    this.#change()
  }

  #expect(withinMs: number, otherwise: OwnClose): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.close(otherwise), withinMs)
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
