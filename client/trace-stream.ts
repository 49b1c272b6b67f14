import type { Schema } from './endpoint-types.ts'
import { resumingStream, type StreamOptions, type StreamSource } from './resuming-stream.ts'
import type { SocketAddresses } from './socket-addresses.ts'

type TracesMessage = Schema<'TracesMessage'>
type CompleteMessage = Schema<'CompleteMessage'>
type DeltaMessage = Schema<'DeltaMessage'>

/** New events of an execution or batch, in the order of their ids across all events of a stream. */
export interface SpansEvent {
  type: 'spans'
  spans: Schema<'Span'>[]
}

/** The end of an execution or batch, with all of its spans nested. */
export type CompleteEvent = { type: 'complete' } & CompleteMessage['data']

/**
 * A piece of an answer that a model is writing; only with `deltas`. Each character once and in order for each call; with
 * `reset` the call is made anew, and what came of it before is void. The span of type `llm_usage` has the whole answer.
 */
export type DeltaEvent = { type: 'delta' } & DeltaMessage['data']

/** What a trace stream gives: each span once, then the end. */
export type TraceStreamEvent = SpansEvent | CompleteEvent

/** The same, with answers while they are written. */
export type LiveStreamEvent = TraceStreamEvent | DeltaEvent

/** Options of a trace stream. */
export interface TraceStreamOptions extends StreamOptions {
  /** Highest id of a trace event that the caller has; the stream begins behind it (0). */
  after?: number | undefined
  /** `none` leaves inputs and outputs away, where the service can. */
  payload?: 'none' | undefined
  /** True also gives answers while they are written; see {@link LiveStreamOptions}. */
  deltas?: false | undefined
  /** Goes on after the end: a batch that gets more tasks runs again, and ends again (false). */
  follow?: boolean | undefined
}

/** Options of a trace stream that may give answers while they are written. */
export type LiveStreamOptions = Omit<TraceStreamOptions, 'deltas'> & { deltas: boolean | undefined }

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
  { after = 0, payload, deltas = false, follow = false, ...options }: TraceStreamOptions | LiveStreamOptions,
): AsyncGenerator<LiveStreamEvent, void, undefined> {
  const position = new TracePosition(after)
  const source: StreamSource<LiveStreamEvent> = {
    address: () => addresses.of(path, { after: position.after, payload, deltas: deltas ? 'true' : undefined }),
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
  readonly #texts = new LiveTexts()

  constructor(after: number) {
    this.after = after
  }

  accept(message: { type: string }): LiveStreamEvent[] {
    if (message.type === 'traces') return this.#acceptSpans(message as TracesMessage)
    if (message.type === 'complete') return this.#acceptEnd(message as CompleteMessage)
    if (message.type === 'delta') return this.#texts.accept((message as DeltaMessage).data)
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

/** Calls whose answers are being written; the oldest are forgotten first. */
const MAX_CALLS = 10_000

/** How much of each answer that is being written was read: after a lost connection pieces come again. */
class LiveTexts {
  readonly #read = new Map<string, { attempt: number; length: number }>()

  accept(delta: DeltaMessage['data']): DeltaEvent[] {
    const { job_id, step, attempt, offset, text, reset: _told, ...rest } = delta
    const key = `${job_id}|${step}`
    const known = this.#read.get(key)
    if (known !== undefined && attempt < known.attempt) return []
    const same = known?.attempt === attempt ? known : undefined
    const length = same?.length ?? 0
    // A piece that begins behind what was read would leave a hole: the call's own event has the whole answer.
    if (offset > length || offset + text.length <= length) return []
    this.#read.delete(key)
    this.#read.set(key, { attempt, length: offset + text.length })
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= MAX_CALLS) break
      this.#read.delete(oldest)
    }
    const piece = { job_id, step, attempt, offset: length, text: text.slice(length - offset), ...rest }
    return [{ type: 'delta', ...piece, ...(known !== undefined && same === undefined && { reset: true as const }) }]
  }
}
