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
  /** Base address, such as `http://127.0.0.1:8000`; in a browser the page's own origin when it is left out. */
  url?: string | undefined
  /** Query parameters that authorize a WebSocket; without it `api_key`, or a header where one can be sent. */
  socketCredentials?: SocketCredentials | undefined
}

/** A client of the service, for browsers and Node. It holds no connection of its own: there is nothing to close. */
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
    if (address === undefined) throw new TypeError('url is missing: new Troupe({ url })')
    const transport = new Transport({ url: address, ...options })
    this.#parts = { transport, addresses: new SocketAddresses(transport, socketCredentials) }
    this.prompts = new Prompts(this.#parts)
    this.jobs = new Jobs(this.#parts)
    this.batches = new Batches(this.#parts)
    this.agents = new Agents(this.#parts)
    this.traces = new Traces(this.#parts)
    this.containers = new Containers(this.#parts)
  }

  /** Whether the service is well, and what it runs on. */
  health(options: CallOptions = {}): Promise<Schema<'Health'>> {
    return this.#parts.transport.request('get', '/api/health', { ...options })
  }

  /** Totals over everything that ever ran. */
  metrics(options: CallOptions = {}): Promise<Schema<'Metrics'>> {
    return this.#parts.transport.request('get', '/api/metrics', { ...options })
  }

  /** The providers' accounts: limits, what is in use and waits, cool-downs. */
  limits(options: CallOptions = {}): Promise<Schema<'Limits'>> {
    return this.#parts.transport.request('get', '/api/limits', { ...options })
  }

  /** Forgets the kept answers of models and tools, of one agent or of all; for keys of role admin. */
  clearCache(agent?: string, options: CallOptions = {}): Promise<Schema<'CacheCleared'>> {
    return this.#parts.transport.request('delete', '/api/cache', { query: { agent }, ...options })
  }

  /** System events from now on (or behind `after`), each once and in order, across lost connections. */
  events(options: EventStreamOptions = {}): AsyncGenerator<SystemEvent, void, undefined> {
    return eventStream(this.#parts.addresses, () => this.#newestEventId(options.signal), options)
  }

  /** Calls any endpoint of the OpenAPI document, typed by it: what the methods above do not cover. */
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
