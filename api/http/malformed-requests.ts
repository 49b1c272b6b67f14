import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../core/errors.ts'

const ANSWERS: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

/** Answers what is no HTTP, and so never reaches the app, in the same shape as every other error. */
export function answerMalformedRequests(server: Server): void {
  server.on('clientError', (error, socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }) => {
    // Nothing can be said any more inside an answer that has begun.
    if (!socket.writable || socket._httpMessage?.headersSent === true) return void socket.destroy()
    const [status, detail] = ANSWERS[String(codeOf(error))] ?? [400, 'The request is not valid HTTP.']
    const body = JSON.stringify({ detail })
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': randomUUID(),
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  })
}
