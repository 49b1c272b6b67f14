import type { SocketAddress } from './connection.ts'
import type { Transport } from './transport.ts'

/** Query parameters that authorize a WebSocket, such as a ticket that is good for one handshake. */
export type SocketCredentials = () => Promise<Record<string, string>>

/** Makes the addresses of the service's WebSockets. */
export class SocketAddresses {
  readonly #transport: Transport
  readonly #credentials: SocketCredentials | undefined

  constructor(transport: Transport, credentials?: SocketCredentials) {
    this.#transport = transport
    this.#credentials = credentials
  }

  /** The address of a path, with what authorizes it: a header where one can be sent, else the query. */
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

  /** Asks the service over HTTP, because a WebSocket does not say why it was refused. @throws TroupeError */
  async check(): Promise<void> {
    await this.#transport.request('get', '/api/health', { retries: 0, timeoutMs: 10_000 })
  }
}

/** Only Node's WebSocket takes headers. */
function canSendHeaders(): boolean {
  return (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined
}
