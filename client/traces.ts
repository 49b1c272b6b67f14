import type { CallOptions, QueryOf, Schema } from './endpoint-types.ts'
import { List } from './list.ts'
import { mapAhead } from './map-ahead.ts'
import type { ClientParts } from './parts.ts'

/** Trace events of executions. */
export class Traces {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Events: oldest first with `job_id`, otherwise newest first. */
  list(query: QueryOf<'/api/traces', 'get'> = {}, options: CallOptions = {}): List<Schema<'Trace'>> {
    const { transport } = this.#parts
    return new List(async (page) => {
      const response = await transport.request('get', '/api/traces', { query: { ...query, ...page }, ...options })
      return { items: response.traces, response }
    }, query)
  }

  /** All events of an execution, oldest first; fetches large payloads from the object store. */
  ofJob(id: string, options: CallOptions = {}): AsyncGenerator<Schema<'Trace'>, void, undefined> {
    const isWhole = ({ payload }: Schema<'Trace'>): boolean => !Object.values(payload).some(isOffloaded)
    return mapAhead(this.list({ job_id: id }, options), FETCHED_AT_ONCE, async (trace) =>
      isWhole(trace) ? trace : this.get(trace.id, options),
    )
  }

  /** Executions by their latest event, each with all of its events. */
  grouped(query: QueryOf<'/api/traces/grouped', 'get'> = {}, options: CallOptions = {}): List<Schema<'TraceGroup'>> {
    const { transport } = this.#parts
    return new List(
      async (page) => {
        const request = { query: { ...query, ...page }, ...options }
        const response = await transport.request('get', '/api/traces/grouped', request)
        return { items: response.grouped_traces, response }
      },
      { limit: GROUPS_A_PAGE, ...query },
    )
  }

  /** One event with its full payload. */
  get(id: number, options: CallOptions = {}): Promise<Schema<'Trace'>> {
    const request = { path: { trace_id: String(id) }, ...options }
    return this.#parts.transport.request('get', '/api/traces/{trace_id}', request)
  }
}

/** Page size of groups, which contain all events and may be large. */
const GROUPS_A_PAGE = 20

/** How many events are fetched from the object store concurrently. */
const FETCHED_AT_ONCE = 8

function isOffloaded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { offloaded?: unknown }).offloaded === true
}
