import type { WebSocket } from 'ws'
import { errorMessage } from './messages.ts'

/** WebSocket close codes of the streams. */
export const CLOSE = { done: 1000, goingAway: 1001, forbidden: 1008, tryAgainLater: 1013 } as const

/** Amount of unsent data at which a client is closed as too slow; it can reconnect with `after`. */
const MAX_BEHIND_BYTES = 8_388_608

const TEXT = { binary: false }

/** A client of a trace or events stream, and its position. */
export class Peer {
  readonly socket: WebSocket
  /** Highest id of an event that was sent, or that the client already had. */
  sentId: number
  /** Whether the client receives live events; until then it is catching up. */
  live = false
  /** The end that was reported to the client with `complete`. */
  toldEnding: string | undefined

  constructor(socket: WebSocket, sentId: number) {
    this.socket = socket
    this.sentId = sentId
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN
  }

  /** Sends without waiting; the buffer may be shared. Closes a client that is too slow. */
  send(message: Buffer): void {
    if (!this.isOpen) return
    this.socket.send(message, TEXT)
    if (this.socket.bufferedAmount > MAX_BEHIND_BYTES) {
      this.socket.close(CLOSE.tryAgainLater, 'Client too slow; reconnect with after')
    }
  }

  /** Sends, and resolves when the message was written or the socket is closed. */
  sendAndWait(message: Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.send(message, TEXT, () => resolve()))
  }
}

/** Sends an error message and closes the socket. */
export function refuse(socket: WebSocket, sentence: string, code: number = CLOSE.done): void {
  socket.send(errorMessage(sentence))
  socket.close(code)
}
