import type { WebSocket } from 'ws'
import { CLOSE } from './peer.ts'

/** Every open socket of a process: answers pings or is dropped, and is told when the process shuts down. */
export interface Sockets {
  /**
   * Takes care of a socket from now on.
   * @param mayStay - asked at each ping: whether its client may still be served.
   */
  add: (socket: WebSocket, mayStay: () => boolean) => void
  /** Closes all with 1001; resolves when they are closed, the last ones by force. */
  close: () => Promise<void>
}

interface Pulse {
  mayStay: () => boolean
  nextPingAt: number
  /** Pings since the last sign of life. */
  unanswered: number
  /** What was waiting to be sent at the last ping. */
  behindBytes: number
}

/** Looked through this often, so that ten thousand pings do not go out in one moment. */
const LOOKS_PER_INTERVAL = 30
/** A reader with a slow line may have a lot to read before it comes to a ping. */
const MAX_UNANSWERED = 2
const CLOSE_DEADLINE_MS = 2_000

/**
 * Creates the set of open sockets; those that do not answer a ping are closed.
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
      // What clients send is ignored; a protocol error closes the socket by itself.
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
  if (!pulse.mayStay()) return socket.close(CLOSE.forbidden, 'The API key is no key any more')
  const isReading = socket.bufferedAmount < pulse.behindBytes
  if (isReading) pulse.unanswered = 0
  pulse.behindBytes = socket.bufferedAmount
  if (pulse.unanswered >= MAX_UNANSWERED) return socket.terminate()
  pulse.unanswered += 1
  if (socket.readyState === socket.OPEN) socket.ping()
}

function ignore(): void {}
