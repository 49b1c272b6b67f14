import type { CompleteEvent, ConnectionState, DeltaEvent, Schema } from '../../client/index.ts'
import { noteFailure, troupe } from '../api/session.ts'
import { TraceTable } from '../waterfall/trace-table.ts'
import { Store } from './store.ts'

const PAGE = 50_000
const SHOW_EVERY_MS = 200
const RETRY_MS = 2_000

/** Where the reading of a trace is. */
export interface TraceState {
  table: TraceTable
  /** Grows with every change of the table. */
  version: number
  phase: 'loading' | 'live' | 'complete' | 'failed'
  error: Error | undefined
  connection: ConnectionState | undefined
  /** When the last event came, in milliseconds since 1970 of this machine. */
  lastAt: number | undefined
  /** What a model is writing now; empty when none is. */
  live: string
}

/** A trace that is being read: the past as an outline, then live, each event once. */
export class TraceStore extends Store<TraceState> {
  readonly #id: string
  readonly #onEnd: () => void
  readonly #deltas: boolean
  #timer: number | undefined
  #live = ''
  #liveCall = ''

  /**
   * @param onEnd - told when the execution has ended.
   * @param deltas - whether answers are shown while they are written.
   */
  constructor(id: string, onEnd: () => void, deltas = false) {
    const table = new TraceTable()
    super({ table, version: 0, phase: 'loading', error: undefined, connection: undefined, lastAt: undefined, live: '' })
    this.#id = id
    this.#onEnd = onEnd
    this.#deltas = deltas
  }

  /** Reads until the execution has ended or `signal` fires; what may pass is tried again. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#readPast(signal)
        await this.#readLive(signal)
        return
      } catch (error) {
        if (signal.aborted) return
        noteFailure(error)
        this.update({ error: error as Error, phase: this.state.table.size === 0 ? 'failed' : this.state.phase })
        if ((error as { status?: number | null }).status === 404) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async #readPast(signal: AbortSignal): Promise<void> {
    const { table } = this.state
    let after: number | null = table.lastId
    while (after !== null) {
      const query = { job_id: this.#id, after, limit: PAGE }
      const page: Schema<'TraceOutline'> = await troupe().request('get', '/api/traces/outline', { query, signal })
      const originMs = page.start_time === null ? 0 : Date.parse(page.start_time)
      table.addOutline(page.names, page.event_types, page.columns, originMs)
      after = page.next_after
      this.#changed({ phase: after === null ? 'live' : 'loading', error: undefined })
    }
  }

  async #readLive(signal: AbortSignal): Promise<void> {
    const { table } = this.state
    const onConnection = (connection: ConnectionState): void => this.update({ connection })
    const options = { payload: 'none', deltas: this.#deltas, signal, onConnection } as const
    const events = troupe().prompts.stream(this.#id, { after: table.lastId, ...options })
    for await (const event of events) {
      if (event.type === 'delta') this.#written(event)
      else if (event.type === 'spans') {
        for (const span of event.spans) table.add(rowOf(span))
        if (event.spans.some(({ event_type: type }) => type === 'llm_usage')) this.#live = ''
        if (event.spans.length > 0) this.#soon()
      } else this.#ended(event)
    }
  }

  /** The answer that is written now; of several at once, the one that was heard last. */
  #written({ kind, text, job_id, step, reset }: DeltaEvent): void {
    if (kind !== 'text') return
    const call = `${job_id}|${step}`
    this.#live = reset === true || call !== this.#liveCall ? text : this.#live + text
    this.#liveCall = call
    this.#soon()
  }

  #ended(_event: CompleteEvent): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed({ phase: 'complete', live: '' })
    this.#onEnd()
  }

  /** Many events that come together are shown together. */
  #soon(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined
      this.#changed({ lastAt: Date.now(), live: this.#live })
    }, SHOW_EVERY_MS)
  }

  #changed(change: Partial<TraceState>): void {
    this.update({ ...change, version: this.state.version + 1 })
  }
}

function rowOf({ id, name, agent, event_type: type, start_time, metadata }: Schema<'Span'>) {
  const spent = type === 'llm_usage' ? metadata : {}
  const failed = type === 'error' || metadata.status === 'error' || metadata.status === 'failed'
  return {
    id,
    name: type === 'delegation' ? (textOf(metadata.target_agent) ?? name) : name,
    agent,
    type,
    parent: numberOf(metadata.parent_id) ?? 0,
    startMs: Date.parse(start_time),
    duration: numberOf(metadata.duration_ms) ?? -1,
    failed,
    prompt_tokens: numberOf(spent.prompt_tokens) ?? 0,
    completion_tokens: numberOf(spent.completion_tokens) ?? 0,
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.round(value) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
