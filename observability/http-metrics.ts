import { Gauge, Histogram } from 'prom-client'
import type { WebSocket } from 'ws'

/** Buckets in seconds, from a response out of memory to a request that waits for a run. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]
const DELAY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** HTTP requests; the histogram's count is their number. */
export const requestSeconds = new Histogram({
  name: 'troupe_http_request_duration_seconds',
  help: 'HTTP requests, from their arrival to the last byte of the answer; status 499 when the client left before.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: DURATION_BUCKETS,
})

const streamSockets = new Gauge({
  name: 'troupe_stream_sockets',
  help: 'Open WebSockets by stream.',
  labelNames: ['stream'] as const,
})

/** The delay of live streams. */
export const streamDelaySeconds = new Histogram({
  name: 'troupe_stream_delay_seconds',
  help: 'From a trace event (the oldest of a message), its commit included, until it was handed to the sockets that follow it live.',
  buckets: DELAY_BUCKETS,
})

/**
 * Counts a WebSocket while it is open.
 * @param stream - the stream that it follows: prompts, batches, logs or events.
 */
export function countSocket(socket: WebSocket, stream: string): void {
  streamSockets.inc({ stream })
  socket.once('close', () => streamSockets.dec({ stream }))
}
