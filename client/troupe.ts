import { Agents } from './agents.ts'
import { Batches } from './batches.ts'
import { Containers } from './containers.ts'
import type { ApiPath, CallOptions, MethodOf, RequestOf, ResponseOf, Schema } from './endpoint-types.ts'
import { eventStream, type EventStreamOptions, type SystemEvent } from './event-stream.ts'
import { Jobs } from './jobs.ts'
import type { ClientParts } from './parts.ts'
import { Prompts } from './prompts.ts'
import { SocketAddresses, type SocketCredentials } from './socket-addresses.ts'
import { Traces } from './traces.ts'
import { Transport, type TransportOptions } from './transport.ts'

/** Options of a client. */
export interface TroupeOptions extends Omit<TransportOptions, 'url'> {
  /** Base URL, such as `http://127.0.0.1:8000`; in a browser, defaults to the origin of the page. */
  url?: string | undefined
  /** Returns query parameters that authorize a WebSocket; by default, the key is sent as a header if possible, otherwise as `api_key`. */
  socketCredentials?: SocketCredentials | undefined
}

/** A client of the service for browsers and Node. It keeps no connections open, so it need not be closed. */
export class Troupe {
  readonly prompts: Prompts
  readonly jobs: Jobs
  readonly batches: Batches
  readonly agents: Agents
  readonly traces: Traces
  readonly containers: Containers
  readonly #parts: ClientParts

  constructor({ url, socketCredentials, ...options }: TroupeOptions = {}) {
    const address = url ?? (globalThis as { location?: { origin: string } }).location?.origin
    if (address === undefined) throw new TypeError('url is required outside of browsers: new Troupe({ url })')
    const transport = new Transport({ url: address, ...options })
    this.#parts = { transport, addresses: new SocketAddresses(transport, socketCredentials) }
    this.prompts = new Prompts(this.#parts)
    this.jobs = new Jobs(this.#parts)
    this.batches = new Batches(this.#parts)
    this.agents = new Agents(this.#parts)
    this.traces = new Traces(this.#parts)
    this.containers = new Containers(this.#parts)
  }

  /** Health, version and components of the service. */
  health(options: CallOptions = {}): Promise<Schema<'Health'>> {
    return this.#parts.transport.request('get', '/api/health', { ...options })
  }

  /** Totals over all executions. */
  metrics(options: CallOptions = {}): Promise<Schema<'Metrics'>> {
    return this.#parts.transport.request('get', '/api/metrics', { ...options })
  }

  /** Limits, usage, waiting calls and cool-downs of provider accounts. */
  limits(options: CallOptions = {}): Promise<Schema<'Limits'>> {
    return this.#parts.transport.request('get', '/api/limits', { ...options })
  }

  /** Clears the cache of model and tool results, for one agent or all; requires a key with the role admin. */
  clearCache(agent?: string, options: CallOptions = {}): Promise<Schema<'CacheCleared'>> {
    return this.#parts.transport.request('delete', '/api/cache', { query: { agent }, ...options })
  }

  /** Streams system events from now on (or after `after`), each once and in order, and reconnects when needed. */
  events(options: EventStreamOptions = {}): AsyncGenerator<SystemEvent, void, undefined> {
    return eventStream(this.#parts.addresses, () => this.#newestEventId(options.signal), options)
  }

  /** Calls any endpoint of the OpenAPI document with its types, for endpoints without a method above. */
  request<Path extends ApiPath, Method extends MethodOf<Path>>(
    method: Method,
    path: Path,
    request: RequestOf<Path, Method>,
  ): Promise<ResponseOf<Path, Method>> {
    return this.#parts.transport.request(method, path, request)
  }

  async #newestEventId(signal: AbortSignal | undefined): Promise<number> {
    const { items } = await this.traces.list({ limit: 1 }, { signal }).page()
    return items[0]?.id ?? 0
  }
}
