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
 * A part of the text that a model is generating; only with `deltas`. Each character of a call arrives once and in order. With
 * `reset`, a new attempt at the call starts and earlier text is invalid. The span of type `llm_usage` contains the whole text.
 */
export type DeltaEvent = { type: 'delta' } & DeltaMessage['data']

/** Items of a trace stream: each span once, then the end. */
export type TraceStreamEvent = SpansEvent | CompleteEvent

/** The same items, plus deltas. */
export type LiveStreamEvent = TraceStreamEvent | DeltaEvent

/** Options of a trace stream. */
export interface TraceStreamOptions extends StreamOptions {
  /** Id of a trace event; the stream starts after it (default 0). */
  after?: number | undefined
  /** `none` omits inputs and outputs, if the service supports it. */
  payload?: 'none' | undefined
  /** True also yields deltas; see {@link LiveStreamOptions}. */
  deltas?: false | undefined
  /** Continues after the end, because a batch with added tasks runs and ends again (default false). */
  follow?: boolean | undefined
}

/** Options of a trace stream that may yield deltas. */
export type LiveStreamOptions = Omit<TraceStreamOptions, 'deltas'> & { deltas: boolean | undefined }

/** Dependencies of a trace stream. */
export interface TraceStreamParts {
  addresses: SocketAddresses
  /** Path of the socket. */
  path: string
  /** Requests the subject over HTTP, whose error is more specific than the stream's. */
  lookUp: () => Promise<unknown>
}

/** Streams the live events of an execution or batch; see {@link resumingStream}. */
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

/** The position in a trace stream. After each message, the reader has all events up to the highest id in it. */
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
    // Ignores kinds of messages that this client version does not know.
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

  /** Whether an end is new; a reopened socket repeats an end that the reader already has. */
  #acceptEnd({ data }: CompleteMessage): TraceStreamEvent[] {
    const end = JSON.stringify([data.status, data.outputs])
    if (end === this.#toldEnd) return []
    this.#toldEnd = end
    return [{ type: 'complete', ...data }]
  }
}

/** Maximum number of tracked calls; the oldest are dropped first. */
const MAX_CALLS = 10_000

/** How much of the text of each call was read, because deltas are repeated after a lost connection. */
class LiveTexts {
  readonly #read = new Map<string, { attempt: number; length: number }>()

  accept(delta: DeltaMessage['data']): DeltaEvent[] {
    const { job_id, step, attempt, offset, text, reset: _told, ...rest } = delta
    const key = `${job_id}|${step}`
    const known = this.#read.get(key)
    if (known !== undefined && attempt < known.attempt) return []
    const same = known?.attempt === attempt ? known : undefined
    const length = same?.length ?? 0
    // Drops a delta that would leave a gap; the event of the call contains the whole text.
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
