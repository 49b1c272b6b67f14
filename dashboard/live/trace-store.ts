import { LiveAnswers, type ConnectionState, type LiveAnswer, type Schema } from '../../client/index.ts'
import { noteFailure, troupe } from '../api/session.ts'
import { TraceTable } from '../waterfall/trace-table.ts'
import { Store } from './store.ts'

/** The first rows are there at once; the rest of a large trace comes in few requests. */
const FIRST_PAGE = 5_000
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
  /** What models are writing now. */
  live: LiveAnswer[]
}

/** A trace that is being read: the past as an outline, then live, each event once. */
export class TraceStore extends Store<TraceState> {
  readonly #id: string
  readonly #onEnd: () => void
  readonly #live = new LiveAnswers()
  #timer: number | undefined

  /** @param onEnd - told when the execution has ended. */
  constructor(id: string, onEnd: () => void) {
    const table = new TraceTable()
    super({ table, version: 0, phase: 'loading', error: undefined, connection: undefined, lastAt: undefined, live: [] })
    this.#id = id
    this.#onEnd = onEnd
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
      const query = { job_id: this.#id, after, limit: table.size === 0 ? FIRST_PAGE : PAGE }
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
    const options = { payload: 'none', deltas: true, signal, onConnection } as const
    const events = troupe().prompts.stream(this.#id, { after: table.lastId, ...options })
    for await (const event of events) {
      const isChanged = this.#live.accept(event)
      if (event.type === 'complete') this.#ended()
      if (event.type === 'spans') for (const span of event.spans) table.add(rowOf(span))
      if (event.type === 'spans' || isChanged) this.#soon()
    }
  }

  #ended(): void {
    this.#changed({ phase: 'complete', live: [] })
    this.#onEnd()
  }

  /** Many events that come together are shown together. */
  #soon(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined
      this.#changed({ lastAt: Date.now(), live: this.#live.all })
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
