import { Connection, type ConnectionState, type SocketAddress } from './connection.ts'
import { retryDelayMs, sleep } from './retry.ts'
import { TroupeError } from './troupe-error.ts'

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream; the iteration rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called on each change of the connection. */
  onConnection?: ((state: ConnectionState) => void) | undefined
  /** Maximum number of unread messages; above it the socket is closed until the reader has caught up (default 1,000). */
  maxWaiting?: number | undefined
  /** Milliseconds without a message after which the client reconnects, in case the connection is dead (default 45,000). */
  idleTimeoutMs?: number | undefined
}

/** A kind of stream: its position, and the meaning of its messages. */
export interface StreamSource<Item> {
  /** The socket that continues after everything that was accepted. */
  address: () => Promise<SocketAddress>
  /** The new items of a message, without repeated ones. */
  accept: (message: { type: string }) => Item[]
  /** Whether this item ends the stream for its reader. */
  isLast: (item: Item) => boolean
  /** Finds out over HTTP why a socket was rejected. @throws TroupeError when a retry is useless */
  explainRefusal: () => Promise<void>
  /** Rejects with a more specific error than the stream's own message, if there is one. */
  explainError: () => Promise<void>
}

const DEFAULTS = { maxWaiting: 1_000, idleTimeoutMs: 45_000, connectTimeoutMs: 10_000 }
const NORMAL = 1000
/** Statuses that a retry does not change. */
const FINAL: ReadonlySet<number | null> = new Set([400, 401, 403, 404])

/**
 * Reads a stream to its end. After a lost connection, reconnects and continues after the last item, so that each item
 * arrives once and in order. A slow reader causes reconnects but no growth of memory.
 * @throws TroupeError when the service rejects the stream; the signal's reason when it is aborted
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
      const address = await reachableAddress(source)
      if (address !== undefined) {
        const connection = new Connection(address, options)
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
        // The client closed the socket itself, because of a slow reader or silence: the connection does not count as lost yet.
        if (connection.ownClose === 'overflow' || connection.ownClose === 'idle') {
          attempt = 0
          continue
        }
      }
      const delayMs = retryDelayMs(attempt++)
      state.report('disconnected', attempt, delayMs)
      await sleep(delayMs, signal)
    }
  } finally {
    state.report('closed')
  }
}

/** The socket to continue with; undefined while no credentials can be obtained. @throws TroupeError when they are refused */
async function reachableAddress<Item>(source: StreamSource<Item>): Promise<SocketAddress | undefined> {
  try {
    return await source.address()
  } catch (error) {
    if (error instanceof TroupeError && FINAL.has(error.status)) throw error
    return undefined
  }
}

/** Whether the stream ended properly. @throws TroupeError when it was rejected permanently */
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

/** Reads one socket, and stores the error message if the service rejects the stream. */
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
        if (message.type === 'error') this.error = message.data?.error ?? 'The service rejected the stream.'
        else yield* this.#source.accept(message)
      }
    }
  }
}

/** Reports each change of the connection's state once. */
class StateReporter {
  readonly #onConnection: StreamOptions['onConnection']
  #status: ConnectionState['status'] | undefined
  #since = 0

  constructor(onConnection: StreamOptions['onConnection']) {
    this.#onConnection = onConnection
    this.report('connecting')
  }

  report(status: ConnectionState['status'], attempt = 0, delayMs?: number): void {
    // Reports every failed attempt, but other states only when they change.
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
