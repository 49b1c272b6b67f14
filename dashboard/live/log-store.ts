import type { ConnectionState, LogEntry } from '../../client/index.ts'
import { noteFailure, troupe } from '../api/session.ts'
import { Store } from './store.ts'

const KEPT = 20_000
const SHOW_EVERY_MS = 100
const TAIL = 500

/** Where the reading of a log is. */
export interface LogState {
  /** Grows with every change of the lines. */
  version: number
  error: Error | undefined
  connection: ConnectionState | undefined
  /** The container has ended. */
  ended: boolean
}

/** A container's log as it is read: the last lines, then live. */
export class LogStore extends Store<LogState> {
  /** Oldest first; changed in place. */
  readonly lines: LogEntry[] = []
  readonly #name: string
  #timer: number | undefined

  constructor(name: string) {
    super({ version: 0, error: undefined, connection: undefined, ended: false })
    this.#name = name
  }

  /** Reads until the container has ended or `signal` fires. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      const onConnection = (connection: ConnectionState): void => this.update({ connection })
      this.lines.length = 0
      for await (const line of troupe().containers.follow(this.#name, { tail: TAIL, signal, onConnection })) {
        this.lines.push(line)
        if (this.lines.length > 2 * KEPT) this.lines.splice(0, this.lines.length - KEPT)
        this.#timer ??= window.setTimeout(() => this.#show(), SHOW_EVERY_MS)
      }
      this.update({ ended: true, version: this.state.version + 1 })
    } catch (error) {
      if (signal.aborted) return
      noteFailure(error)
      this.update({ error: error as Error })
    }
  }

  #show(): void {
    this.#timer = undefined
    this.update({ version: this.state.version + 1 })
  }
}
