import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import type { Span } from '../../core/spans.ts'

export interface Message {
  type: string
  data: {
    id: number
    count: number
    spans: Span[]
    status: string
    outputs: Record<string, unknown>
    error: string | null
    truncated?: boolean
    [field: string]: unknown
  }
  events?: Message[]
}

/** A real WebSocket client that keeps what it was sent. */
export class Client {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  /** When each message came, in milliseconds. */
  readonly times: number[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  /** An HTTP answer to the handshake. */
  readonly refused: Promise<{ status: number; body: unknown; headers: Record<string, unknown> }>
  #changed = Promise.withResolvers<void>()

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers, maxPayload: 0 })
    this.socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message)
      this.times.push(performance.now())
      this.#change()
    })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => {
        this.#change()
        resolve({ code, reason: String(reason) })
      })
    })
    this.refused = new Promise((resolve) => {
      this.socket.once('unexpected-response', async (request: ClientRequest, response: IncomingMessage) => {
        const body: unknown = JSON.parse(Buffer.concat(await response.toArray()).toString())
        request.destroy()
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers })
      })
    })
  }

  /** Spans of all `traces` messages, in the order in which they came. */
  get spans(): Span[] {
    return this.messages.filter(({ type }) => type === 'traces').flatMap(({ data }) => data.spans)
  }

  /** Events of the system events stream, in the order in which they came. */
  get events(): Message['data'][] {
    return this.messages.flatMap((message) => (message.events ?? [message]).map(({ data }) => data))
  }

  get completes(): Message['data'][] {
    return this.messages.filter(({ type }) => type === 'complete').map(({ data }) => data)
  }

  opened(): Promise<unknown> {
    return this.socket.readyState === WebSocket.OPEN ? Promise.resolve() : once(this.socket, 'open')
  }

  /** Resolves when the condition holds; it is looked at after each message. */
  async until(condition: (client: this) => boolean): Promise<this> {
    while (!condition(this)) {
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the stream was closed before')
      await this.#changed.promise
    }
    return this
  }

  /** Waits for `complete`. */
  async complete(count = 1): Promise<Message['data']> {
    await this.until(({ completes }) => completes.length >= count)
    return this.completes.at(-1) as Message['data']
  }

  /** Goes away without a word. */
  leave(): void {
    this.socket.terminate()
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
