import type { WebSocket } from 'ws'
import { errorMessage } from './messages.ts'

/** WebSocket close codes as the streams use them. */
export const CLOSE = { done: 1000, goingAway: 1001, forbidden: 1008, tryAgainLater: 1013 } as const

/** A reader that has this much waiting is too far behind; it comes back with `after`. */
const MAX_BEHIND_BYTES = 8_388_608

const TEXT = { binary: false }

/** A client of a trace or events stream, and where it stands. */
export class Peer {
  readonly socket: WebSocket
  /** Highest id of an event that was sent, or that the client said it has. */
  sentId: number
  /** Whether it has the past and gets what is new; until then it is catching up. */
  live = false
  /** The end that it was told with `complete`. */
  toldEnding: string | undefined

  constructor(socket: WebSocket, sentId: number) {
    this.socket = socket
    this.sentId = sentId
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN
  }

  /** Sends without waiting for the reader; the buffer may be shared. One that is too far behind is closed. */
  send(message: Buffer): void {
    if (!this.isOpen) return
    this.socket.send(message, TEXT)
    if (this.socket.bufferedAmount > MAX_BEHIND_BYTES) {
      this.socket.close(CLOSE.tryAgainLater, 'Too far behind; come back with after')
    }
  }

  /** Sends and resolves when the message has gone out, or the socket is closed. */
  sendAndWait(message: Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.send(message, TEXT, () => resolve()))
  }
}

/** Tells a client why it cannot be served, and closes. */
export function refuse(socket: WebSocket, sentence: string, code: number = CLOSE.done): void {
  socket.send(errorMessage(sentence))
  socket.close(code)
}
