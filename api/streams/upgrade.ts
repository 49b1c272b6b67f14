import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { messageOf } from '../../core/errors.ts'
import { countSocket } from '../../observability/http-metrics.ts'
import { redeemTicket } from '../../store/feed/stream-tickets.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Caller } from '../http/api-keys.ts'
import { FOREIGN_PAGE, UNKNOWN_HOST } from '../http/middleware/origins.ts'
import { requestIdOf } from '../http/middleware/request-id.ts'
import { isForeignPage, isKnownHost } from '../http/origins.ts'
import { endWithError } from '../http/raw-response.ts'
import { createRoutes, pathOf } from './routes.ts'
import { createSockets } from './sockets.ts'

/** The streams of a process. */
export interface Streams {
  /** Accepts no more clients and closes all with code 1001; resolves when they are closed. */
  close: () => Promise<void>
}

export interface StreamsOptions {
  pingIntervalMs?: number
}

const MAX_MESSAGE_BYTES = 65_536

/** Serves the WebSocket paths on an HTTP server, until it is closed or the process begins to shut down. */
export function attachStreams(server: Server, deps: Dependencies, options: StreamsOptions = {}): Streams {
  const { pingIntervalMs = 30_000 } = options
  const routes = createRoutes(deps)
  const sockets = createSockets(pingIntervalMs)
  const websockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  })
  let closed: Promise<void> | undefined

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const { pathname, searchParams } = URL.parse(request.url ?? '/', 'ws://localhost') ?? new URL('ws://localhost')
    const { config, keys, log } = deps
    const { headers } = request
    const requestId = String(headers['x-request-id'])
    const refuse = (status: number, detail: string): void => endWithError(socket, status, detail, requestId)
    if (keys.isOpen && !isKnownHost(headers, config)) return refuse(403, UNKNOWN_HOST)
    const caller = keys.identify(headers, searchParams) ?? (await ticketHolder(deps, searchParams))
    if (caller === undefined) return refuse(401, 'Invalid or missing API key')
    if (isForeignPage(headers, config)) return refuse(403, FOREIGN_PAGE)
    const path = pathOf(pathname)
    if (path === undefined) return refuse(404, `The path ${pathname} does not exist; see /docs for the streams.`)
    const route = routes[path.kind]
    // Events that are committed after the client sees the open stream must reach it.
    if (!(await route.isReady())) return refuse(503, 'The database cannot be reached; try again later.')
    if (closed !== undefined) return refuse(503, 'The service is shutting down.')
    websockets.handleUpgrade(request, socket, head, (client) => {
      sockets.add(client, () => keys.find(caller.keyDigest) !== undefined)
      countSocket(client, path.kind)
      log.info({ requestId, key: caller.name ?? undefined, path: pathname }, 'stream opened')
      void route.join(client, path.id, searchParams)
    })
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A connection that breaks during its handshake must not affect others.
    socket.on('error', () => socket.destroy())
    // Stored with the request, which the library passes when the handshake ends.
    request.headers['x-request-id'] = requestIdOf(request.headers)
    upgrade(request, socket, head).catch((error: unknown) => {
      deps.log.error({ requestId: request.headers['x-request-id'], err: error }, 'WebSocket handshake failed')
      socket.destroy()
    })
  }
  const close = (): Promise<void> => (closed ??= sockets.close())

  websockets.on('headers', (lines, { headers }) => {
    lines.push(`X-Request-Id: ${String(headers['x-request-id'])}`)
  })
  websockets.on('wsClientError', (error, socket, { headers }) => {
    endWithError(socket, 400, `${messageOf(error)}.`, headers['x-request-id'] as string)
  })
  server.on('upgrade', onUpgrade)
  Object.assign(server, { shouldUpgradeCallback: shouldUpgrade })
  deps.closing.addEventListener('abort', () => void close(), { once: true })
  return { close }
}

/** The owner of the handshake's ticket with its current permissions. This consumes the ticket. */
async function ticketHolder({ store, keys }: Dependencies, query: URLSearchParams): Promise<Caller | undefined> {
  const ticket = query.get('ticket')
  const keyDigest = ticket === null ? undefined : await redeemTicket(store, ticket, new Date())
  return keyDigest === undefined ? undefined : keys.find(keyDigest)
}

/**
 * Whether Node should upgrade a connection. A client that offers another protocol (curl offers HTTP/2) continues with plain HTTP.
 * Node versions without this option do not ask.
 */
function shouldUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
