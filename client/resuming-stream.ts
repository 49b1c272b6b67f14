import { Connection, type ConnectionState, type SocketAddress } from './connection.ts'
import { retryDelayMs, sleep } from './retry.ts'
import { TroupeError } from './troupe-error.ts'

/** What the caller of a stream may choose. */
export interface StreamOptions {
  /** Ends the stream; the iteration rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Told of each change of the connection. */
  onConnection?: ((state: ConnectionState) => void) | undefined
  /** Messages that may wait for a slow reader before the socket is closed for a while (1,000). */
  maxWaiting?: number | undefined
  /** Milliseconds of silence after which the connection is made anew, in case it died unnoticed (45,000). */
  idleTimeoutMs?: number | undefined
}

/** A kind of stream: where it goes on, and what its messages mean. */
export interface StreamSource<Item> {
  /** The socket that goes on behind everything that was accepted. */
  address: () => Promise<SocketAddress>
  /** The new items of a message; what was seen before is left out. */
  accept: (message: { type: string }) => Item[]
  /** Whether the stream is over for its reader with this item. */
  isLast: (item: Item) => boolean
  /** Asks over HTTP why a socket was refused. @throws TroupeError when trying again is useless */
  explainRefusal: () => Promise<void>
  /** Rejects with a better error than the stream's own sentence, where there is one. */
  explainError: () => Promise<void>
}

const DEFAULTS = { maxWaiting: 1_000, idleTimeoutMs: 45_000, connectTimeoutMs: 10_000 }
const NORMAL = 1000
/** Statuses that no repetition changes. */
const FINAL: ReadonlySet<number | null> = new Set([400, 401, 403, 404])

/**
 * Reads a stream to its end over as many sockets as it takes. A connection that breaks is made again behind the last item,
 * so that each item comes once and in order; a slow reader costs a reconnect and never memory.
 * @throws TroupeError when the service refuses the stream; the signal's reason when it is aborted
 */
export async function* resumingStream<Item>(
  source: StreamSource<Item>,
  { signal, onConnection, ...limits }: StreamOptions,
): AsyncGenerator<Item, void, undefined> {
  const state = new StateReporter(onConnection)
  const options = { ...DEFAULTS, ...defined(limits), signal }
  let attempt = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const connection = new Connection(await source.address(), options)
      const reading = new SocketReading(source, connection)
      try {
        await connection.opened
        if (connection.end === undefined) state.report('open')
        for await (const item of reading.items()) {
          attempt = 0
          yield item
          if (source.isLast(item)) return
        }
      } finally {
        connection.close()
      }
      signal?.throwIfAborted()
      if (await isOver(connection, reading, source)) return
      // A slow reader has caught up, or a socket was silent for long: neither is a lost connection yet.
      if (connection.ownClose === 'overflow' || connection.ownClose === 'idle') {
        attempt = 0
        continue
      }
      const delayMs = retryDelayMs(attempt++)
      state.report('disconnected', attempt, delayMs)
      await sleep(delayMs, signal)
    }
  } finally {
    state.report('closed')
  }
}

/** Whether the stream ended properly. @throws TroupeError when it was refused for good */
async function isOver<Item>(
  connection: Connection,
  { error }: SocketReading<Item>,
  source: StreamSource<Item>,
): Promise<boolean> {
  const { end, ownClose } = connection
  if (end === undefined || ownClose === 'overflow') return false
  if (end.code === NORMAL) {
    if (error === undefined) return true
    await source.explainError()
    throw new TroupeError('stream', error)
  }
  if (end.opened) return false
  try {
    await source.explainRefusal()
  } catch (cause) {
    if (cause instanceof TroupeError && !FINAL.has(cause.status)) return false
    throw cause
  }
  return false
}

/** Reads one socket, and keeps the sentence that it may have been refused with. */
class SocketReading<Item> {
  error: string | undefined
  readonly #source: StreamSource<Item>
  readonly #connection: Connection

  constructor(source: StreamSource<Item>, connection: Connection) {
    this.#source = source
    this.#connection = connection
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const messages = await this.#connection.read()
      if (messages.length === 0) return
      for (const message of messages as { type: string; data?: { error?: string } }[]) {
        if (message.type === 'error') this.error = message.data?.error ?? 'The stream was refused.'
        else yield* this.#source.accept(message)
      }
    }
  }
}

/** Tells of the connection's states, each change once. */
class StateReporter {
  readonly #onConnection: StreamOptions['onConnection']
  #status: ConnectionState['status'] | undefined
  #since = 0

  constructor(onConnection: StreamOptions['onConnection']) {
    this.#onConnection = onConnection
    this.report('connecting')
  }

  report(status: ConnectionState['status'], attempt = 0, delayMs?: number): void {
    // Each failed try is news; anything else only when it changes.
    if (status === this.#status && status !== 'disconnected') return
    const now = Date.now()
    if (status !== this.#status) this.#since = now
    this.#status = status
    const retryAt = delayMs === undefined ? null : now + delayMs
    this.#onConnection?.({ status, since: this.#since, attempt, retryAt })
  }
}

function defined<Limits extends object>(limits: Limits): { [Name in keyof Limits]: NonNullable<Limits[Name]> } {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as never
}
