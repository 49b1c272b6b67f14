import type { SocketAddress } from './connection.ts'
import type { Transport } from './transport.ts'

/**
 * Returns query parameters that authorize a WebSocket, such as a ticket for one handshake; called before each handshake. If
 * it rejects, it is called again later, except after a {@link TroupeError} with status 400, 401, 403 or 404, which ends the stream.
 */
export type SocketCredentials = () => Promise<Record<string, string>>

/** Builds the URLs of the service's WebSockets. */
export class SocketAddresses {
  readonly #transport: Transport
  readonly #credentials: SocketCredentials | undefined

  constructor(transport: Transport, credentials?: SocketCredentials) {
    this.#transport = transport
    this.#credentials = credentials
  }

  /** The URL of a path with its credentials: a header if the platform can send one, otherwise the query. */
  async of(path: string, query: Record<string, string | number | undefined>): Promise<SocketAddress> {
    const url = new URL(`${this.#transport.url.replace(/^http/, 'ws')}${path}`)
    const { key } = this.#transport
    const inQuery = key !== undefined && !canSendHeaders() ? { api_key: key } : {}
    const credentials = this.#credentials === undefined ? inQuery : await this.#credentials()
    for (const [name, value] of Object.entries({ ...query, ...credentials })) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers = key !== undefined && canSendHeaders() ? { 'x-api-key': key } : undefined
    return { url: url.href, headers }
  }

  /** Sends an HTTP request, because a WebSocket does not report why it was rejected. @throws TroupeError */
  async check(): Promise<void> {
    await this.#transport.request('get', '/api/health', { retries: 0, timeoutMs: 10_000 })
  }
}

/** Only Node's WebSocket accepts headers. */
function canSendHeaders(): boolean {
  return (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined
}
