import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import { endWithError } from './raw-response.ts'

/** Time limits for the arrival of requests. The response has no time limit here. */
export interface ArrivalLimits {
  /** Time from the start of a connection, or the first byte of a further request, to the end of the headers. */
  headersMs?: number
  /** A body must arrive at `bodyBytesPerSecond` or faster, averaged over windows of this length. */
  bodyWindowMs?: number
  bodyBytesPerSecond?: number
}

export interface HttpServerOptions extends ArrivalLimits {
  log: Log
  /** A client that reads nothing of a response for this long is disconnected. */
  takingMs?: number
  /** Maximum number of concurrent connections; further ones are closed at once. */
  maxConnections: number
}

/** The response that Node is writing to a connection. */
interface Answering {
  _httpMessage?: { headersSent: boolean } | null
}

const KEEP_ALIVE_MS = 65_000
const CHECK_MS = 500
const LOG_AGAIN_MS = 10_000
const TOO_LATE = 'The request did not arrive in time.'
const MALFORMED: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, TOO_LATE],
}

/** An HTTP server that closes connections whose requests do not arrive, and reports protocol errors in the format of the service. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { log, maxConnections, takingMs = 60_000 } = options
  const { headersMs = 10_000, bodyWindowMs = 30_000, bodyBytesPerSecond = 1_024 } = options
  // Bodies have a minimum rate instead of a time limit for the request, because a large body may take long.
  const timeouts = { headersTimeout: headersMs, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }
  // The app rejects a request without Host with an error body; Node's own response has none.
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: CHECK_MS, requireHostHeader: false },
    listener,
  )
  server.maxConnections = maxConnections
  let quietUntil = 0
  server.on('drop', () => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + LOG_AGAIN_MS
    log.warn({ maxConnections }, 'too many connections; closing new ones')
  })
  server.timeout = takingMs
  server.on('timeout', closeUnlessWaiting)
  server.prependListener('request', (request) => {
    watchBody(request, bodyWindowMs, (bodyBytesPerSecond * bodyWindowMs) / 1_000)
  })
  server.on('clientError', answerMalformed)
  // Without a listener Node closes the connection without a response.
  server.on('connect', (_request, socket) =>
    endWithError(socket, 405, 'CONNECT is not allowed: this server is not a proxy.'),
  )
  // Ignores unknown expectations, as HTTP allows; Node would respond without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Aborts a request whose body arrives too slowly, even if the response was sent before the body was read. */
function watchBody(request: IncomingMessage, windowMs: number, leastBytes: number): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const arrived = socket.bytesRead - before
    before = socket.bytesRead
    // Data that has arrived but was not read yet is not the client's delay.
    if (arrived >= leastBytes || request.readableLength > 0) return
    clearInterval(timer)
    endUnlessAnswered(socket, 408, TOO_LATE)
  }, windowMs)
  request.once('close', () => clearInterval(timer))
}

/**
 * Closes a connection without traffic, unless its client is waiting for a response. Otherwise an unread response and its
 * query would stay in memory for ever.
 */
function closeUnlessWaiting(socket: Socket & Answering): void {
  if (socket.writableLength > 0 || socket._httpMessage == null) socket.destroy()
}

/** Responds to malformed and timed-out requests, which never reach the app. */
function answerMalformed(error: Error, socket: Duplex): void {
  const [status, detail] = MALFORMED[String(codeOf(error))] ?? [400, 'The request is not valid HTTP.']
  endUnlessAnswered(socket, status, detail)
}

function endUnlessAnswered(socket: Duplex & Answering, status: number, detail: string): void {
  // An error cannot be sent inside a response that has already started.
  if (!socket.writable || socket._httpMessage?.headersSent === true) socket.destroy()
  else endWithError(socket, status, detail)
}
