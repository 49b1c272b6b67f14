import type { Schema } from './endpoint-types.ts'
import { resumingStream, type StreamOptions, type StreamSource } from './resuming-stream.ts'
import type { SocketAddresses } from './socket-addresses.ts'

type TracesMessage = Schema<'TracesMessage'>
type CompleteMessage = Schema<'CompleteMessage'>

/** New events of an execution or batch, in the order of their ids across all events of a stream. */
export interface SpansEvent {
  type: 'spans'
  spans: Schema<'Span'>[]
}

/** The end of an execution or batch, with all of its spans nested. */
export type CompleteEvent = { type: 'complete' } & CompleteMessage['data']

/** What a trace stream gives: each span once, then the end. */
export type TraceStreamEvent = SpansEvent | CompleteEvent

/** Options of a trace stream. */
export interface TraceStreamOptions extends StreamOptions {
  /** Highest id of a trace event that the caller has; the stream begins behind it (0). */
  after?: number | undefined
  /** `none` leaves inputs and outputs away, where the service can. */
  payload?: 'none' | undefined
  /** Goes on after the end: a batch that gets more tasks runs again, and ends again (false). */
  follow?: boolean | undefined
}

/** What a trace stream needs from the client. */
export interface TraceStreamParts {
  addresses: SocketAddresses
  /** Path of the socket. */
  path: string
  /** Looks the subject up over HTTP; its error says more than the stream's. */
  lookUp: () => Promise<unknown>
}

/** The live events of an execution or batch; see {@link resumingStream}. */
export function traceStream(
  { addresses, path, lookUp }: TraceStreamParts,
  { after = 0, payload, follow = false, ...options }: TraceStreamOptions,
): AsyncGenerator<TraceStreamEvent, void, undefined> {
  const position = new TracePosition(after)
  const source: StreamSource<TraceStreamEvent> = {
    address: () => addresses.of(path, { after: position.after, payload }),
    accept: (message) => position.accept(message),
    isLast: ({ type }) => type === 'complete' && !follow,
    explainRefusal: () => addresses.check(),
    explainError: async () => void (await lookUp()),
  }
  return resumingStream(source, options)
}

/** How far a trace stream was read. After any message the reader has every event up to the highest id in it. */
class TracePosition {
  after: number
  #toldEnd: string | undefined

  constructor(after: number) {
    this.after = after
  }

  accept(message: { type: string }): TraceStreamEvent[] {
    if (message.type === 'traces') return this.#acceptSpans(message as TracesMessage)
    if (message.type === 'complete') return this.#acceptEnd(message as CompleteMessage)
    // Kinds of messages that are younger than this client.
    return []
  }

  #acceptSpans({ data }: TracesMessage): TraceStreamEvent[] {
    const { after } = this
    const spans = data.spans.filter(({ id }) => id > after)
    if (spans.length === 0) return []
    this.after = spans.reduce((highest, { id }) => Math.max(highest, id), after)
    this.#toldEnd = undefined
    return [{ type: 'spans', spans }]
  }

  /** A socket that was opened again tells an end again that its reader knows. */
  #acceptEnd({ data }: CompleteMessage): TraceStreamEvent[] {
    const end = JSON.stringify([data.status, data.outputs])
    if (end === this.#toldEnd) return []
    this.#toldEnd = end
    return [{ type: 'complete', ...data }]
  }
}
