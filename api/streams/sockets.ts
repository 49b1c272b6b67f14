import type { WebSocket } from 'ws'
import { CLOSE } from './peer.ts'

/** All open sockets of a process. Closes sockets that do not respond to pings, and all sockets at shutdown. */
export interface Sockets {
  /**
   * Adds a socket.
   * @param mayStay - checked at each ping: whether the client is still authorized.
   */
  add: (socket: WebSocket, mayStay: () => boolean) => void
  /** Closes all sockets with code 1001 and terminates those that do not close in time; resolves when all are closed. */
  close: () => Promise<void>
}

interface Pulse {
  mayStay: () => boolean
  nextPingAt: number
  /** Number of pings since the client was last heard from. */
  unanswered: number
  /** Amount of unsent data at the last ping. */
  behindBytes: number
}

/** Interval of checks, which spreads the pings of many sockets over time. */
const LOOKS_PER_INTERVAL = 30
/** Limit for a client that still reads: on a slow line, it may have much data to read before it sees a ping. */
const MAX_UNANSWERED = 2
const CLOSE_DEADLINE_MS = 2_000

/**
 * Creates the set of open sockets; closes those that do not respond to pings.
 * @param pingIntervalMs - time between two pings of a socket.
 */
export function createSockets(pingIntervalMs: number): Sockets {
  const pulses = new Map<WebSocket, Pulse>()
  let onAllClosed: (() => void) | undefined

  // One function for all sockets: `this` is the socket.
  function alive(this: WebSocket): void {
    const pulse = pulses.get(this)
    if (pulse !== undefined) pulse.unanswered = 0
  }
  function forget(this: WebSocket): void {
    pulses.delete(this)
    if (pulses.size === 0) onAllClosed?.()
  }

  const look = (): void => {
    const now = performance.now()
    for (const [socket, pulse] of pulses) {
      if (now < pulse.nextPingAt) continue
      pulse.nextPingAt = now + pingIntervalMs
      beat(socket, pulse)
    }
  }
  const timer = setInterval(look, pingIntervalMs / LOOKS_PER_INTERVAL)

  return {
    add(socket, mayStay) {
      const nextPingAt = performance.now() + pingIntervalMs
      pulses.set(socket, { mayStay, nextPingAt, unanswered: 0, behindBytes: 0 })
      // Messages from clients are ignored; a protocol error closes the socket anyway.
      socket.on('error', ignore).on('pong', alive).on('close', forget)
    },
    async close() {
      clearInterval(timer)
      if (pulses.size === 0) return
      const allClosed = new Promise<void>((resolve) => (onAllClosed = resolve))
      for (const socket of pulses.keys()) socket.close(CLOSE.goingAway, 'Shutting down')
      const deadline = setTimeout(() => {
        for (const socket of pulses.keys()) socket.terminate()
      }, CLOSE_DEADLINE_MS)
      await allClosed
      clearTimeout(deadline)
    },
  }
}

function beat(socket: WebSocket, pulse: Pulse): void {
  if (!pulse.mayStay()) return socket.close(CLOSE.forbidden, 'The API key is no longer valid')
  const isReading = socket.bufferedAmount < pulse.behindBytes
  if (isReading) pulse.unanswered = 0
  pulse.behindBytes = socket.bufferedAmount
  if (pulse.unanswered >= MAX_UNANSWERED) return socket.terminate()
  pulse.unanswered += 1
  if (socket.readyState === socket.OPEN) socket.ping()
}

function ignore(): void {}
