import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import { endWithError } from './raw-response.ts'

/** How requests must arrive. A request that has arrived may be answered as late as its work needs. */
export interface ArrivalLimits {
  /** From the opening of a connection, or the first byte of a further request, to the end of the headers. */
  headersMs?: number
  /** A body must bring `bodyBytesPerSecond` on average over each span of this length. */
  bodyWindowMs?: number
  bodyBytesPerSecond?: number
}

export interface HttpServerOptions extends ArrivalLimits {
  log: Log
  /** A client that takes nothing of an answer for this long is let go. */
  takingMs?: number
  /** Connections at a time; one more is closed at once. */
  maxConnections: number
}

/** What a connection answers at the moment. */
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

/** An HTTP server that holds no connection for what does not arrive, and says in the service's words what it refuses. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { log, maxConnections, takingMs = 60_000 } = options
  const { headersMs = 10_000, bodyWindowMs = 30_000, bodyBytesPerSecond = 1_024 } = options
  // Bodies have a rate of their own instead of a time for the whole request: a large one may take long.
  const timeouts = { headersTimeout: headersMs, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }
  // The app refuses a request without Host in the service's words; Node would answer it without a body.
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: CHECK_MS, requireHostHeader: false },
    listener,
  )
  server.maxConnections = maxConnections
  let quietUntil = 0
  server.on('drop', () => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + LOG_AGAIN_MS
    log.warn({ maxConnections }, 'too many connections: new ones are closed')
  })
  server.timeout = takingMs
  server.on('timeout', letGoUnlessItWaits)
  server.prependListener('request', (request) => {
    watchBody(request, bodyWindowMs, (bodyBytesPerSecond * bodyWindowMs) / 1_000)
  })
  server.on('clientError', answerMalformed)
  // Without a listener Node closes the connection with no answer.
  server.on('connect', (_request, socket) => endWithError(socket, 405, 'CONNECT is not allowed: this is no proxy.'))
  // An expectation that nobody knows is ignored, as HTTP allows; Node would answer it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Breaks off a request whose body does not come fast enough, also when it was answered before it was read. */
function watchBody(request: IncomingMessage, windowMs: number, leastBytes: number): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const arrived = socket.bytesRead - before
    before = socket.bytesRead
    // What has arrived and was not taken is not the client's delay.
    if (arrived >= leastBytes || request.readableLength > 0) return
    clearInterval(timer)
    endUnlessAnswered(socket, 408, TOO_LATE)
  }, windowMs)
  request.once('close', () => clearInterval(timer))
}

/**
 * A connection on which nothing has come and of which nothing was taken for some time: one that waits for its answer goes on. What is
 * left of an answer that nobody takes, and its query, would stay for ever.
 */
function letGoUnlessItWaits(socket: Socket & Answering): void {
  if (socket.writableLength > 0 || socket._httpMessage == null) socket.destroy()
}

/** Answers what is no HTTP, or does not arrive, and so never reaches the app. */
function answerMalformed(error: Error, socket: Duplex): void {
  const [status, detail] = MALFORMED[String(codeOf(error))] ?? [400, 'The request is not valid HTTP.']
  endUnlessAnswered(socket, status, detail)
}

function endUnlessAnswered(socket: Duplex & Answering, status: number, detail: string): void {
  // Nothing can be said any more inside an answer that has begun.
  if (!socket.writable || socket._httpMessage?.headersSent === true) socket.destroy()
  else endWithError(socket, status, detail)
}
