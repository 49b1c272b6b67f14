import { parseJson } from '../core/exact-json.ts'

/** What a stream is doing; shown to people, so that a dead stream never looks busy. */
export interface ConnectionState {
  status:
    /** The first handshake is under way. */
    | 'connecting'
    /** Messages come as they happen. */
    | 'open'
    /** The connection is lost and will be made again; nothing that happens meanwhile is lost. */
    | 'disconnected'
    /** The stream has ended, or its reader has left. */
    | 'closed'
  /** When this state began, in milliseconds since 1970. */
  since: number
  /** Failed tries since the connection was lost. */
  attempt: number
  /** When the next try is made, in milliseconds since 1970; null unless disconnected. */
  retryAt: number | null
}

/** How a socket came to its end. */
export interface SocketEnd {
  /** WebSocket close code; 1006 when the connection broke. */
  code: number
  /** Whether the handshake had succeeded. */
  opened: boolean
}

/** A WebSocket's address, and the headers for its handshake where the platform can send some. */
export interface SocketAddress {
  url: string
  headers?: Record<string, string> | undefined
}

/** Limits of one connection. */
export interface ConnectionOptions {
  /** Messages that may wait for the reader; above it the socket is closed, and opened again when they are read. */
  maxWaiting: number
  /** Milliseconds without a message after which the socket counts as dead. */
  idleTimeoutMs: number
  /** Milliseconds that a handshake may take. */
  connectTimeoutMs: number
  signal?: AbortSignal | undefined
}

/** What a WebSocket that was never closed properly ends with. */
const BROKEN = 1006

type WebSocketClass = new (url: string, options?: unknown) => WebSocket

/** Why this side closed a socket; undefined: the other side, or the network, did. */
export type OwnClose = 'overflow' | 'idle' | 'unopened' | 'left'

/** One WebSocket with the messages that wait for the reader. Memory is bounded: see {@link ConnectionOptions.maxWaiting}. */
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
    // Node takes headers where browsers take names of protocols.
    const Socket = WebSocket as unknown as WebSocketClass
    this.#socket = headers === undefined ? new Socket(url) : new Socket(url, { headers })
    this.opened = this.#settled.promise
    this.#listen()
    this.#expect(options.connectTimeoutMs, 'unopened')
    options.signal?.addEventListener('abort', this.#leave, { once: true })
  }

  /** How the socket ended; undefined while it is alive, or while messages of it wait. */
  get end(): SocketEnd | undefined {
    return this.#waiting.length === 0 ? this.#end : undefined
  }

  /** The next messages, at least one; none when the socket has ended. */
  async read(): Promise<unknown[]> {
    while (this.#waiting.length === 0 && this.#end === undefined) await this.#changed.promise
    return this.#waiting.splice(0)
  }

  /** Ends the connection now; what waits is dropped. */
  close(ownClose: OwnClose = 'left'): void {
    if (this.#end !== undefined) return
    this.ownClose = ownClose
    // A dead peer never confirms: the socket counts as closed from here on.
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
    // After a handshake that fails, Node 22 tells of no close.
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
