import type { CallOptions, QueryOf, ResponseOf } from './endpoint-types.ts'
import { logStream, type LogEntry, type LogStreamOptions } from './log-stream.ts'
import type { ClientParts } from './parts.ts'

const LOG_PATH = '/api/logs/containers/{container_name}'

/** The containers on the service's host, and their logs. */
export class Containers {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** All containers, including stopped ones. */
  list(options: CallOptions = {}): Promise<ResponseOf<'/api/logs/containers', 'get'>> {
    return this.#parts.transport.request('get', '/api/logs/containers', { ...options })
  }

  /** The current last lines of a log. */
  log(
    name: string,
    query: QueryOf<typeof LOG_PATH, 'get'> = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<typeof LOG_PATH, 'get'>> {
    return this.#parts.transport.request('get', LOG_PATH, { path: { container_name: name }, query, ...options })
  }

  /** Streams the last lines of a log, then each new line, until the container ends; reconnects when needed. */
  follow(name: string, options: LogStreamOptions = {}): AsyncGenerator<LogEntry, void, undefined> {
    const lookUp = (): Promise<unknown> => this.log(name, { tail: 0 }, { signal: options.signal })
    return logStream(this.#parts.addresses, name, lookUp, options)
  }
}
