import type { ConnectionState } from '../../client/index.ts'
import { noteFailure, troupe } from '../api/session.ts'
import { plainText } from './ansi.ts'
import { mergeLines, newestLines, type LogLine } from './log-lines.ts'
import { Store } from './store.ts'

const SHOW_EVERY_MS = 100
const LOOK_EVERY_MS = 5_000
const TAIL = 500

/** Where the reading of one container's log is. */
export interface SourceState {
  error: Error | undefined
  connection: ConnectionState | undefined
}

/** The logs that are read. */
export interface LogState {
  /** Of all containers, in the order of their times. */
  lines: LogLine[]
  /** By the name of the container. */
  sources: Record<string, SourceState>
}

/** Where a log begins: with so many lines, or at a duration before now or a time. */
export interface LogBegin {
  tail?: number | undefined
  since?: string | undefined
}

/** The logs of containers as they are read: the last lines, then live, for as long as somebody looks. */
export class LogStore extends Store<LogState> {
  readonly #names: readonly string[]
  readonly #begin: LogBegin
  #fresh: LogLine[] = []
  #lastKey = 0
  #timer: number | undefined

  constructor(names: readonly string[], { tail, since }: LogBegin) {
    super({ lines: [], sources: {} })
    this.#names = names
    this.#begin = since === undefined ? { tail: tail ?? TAIL } : { since }
  }

  /** Reads until `signal` fires; a container that has ended is read on when it runs again. */
  async follow(signal: AbortSignal): Promise<void> {
    this.#fresh = []
    this.set({ lines: [], sources: {} })
    await Promise.all(this.#names.map((name) => this.#followOne(name, signal)))
    window.clearTimeout(this.#timer)
  }

  async #followOne(name: string, signal: AbortSignal): Promise<void> {
    const onConnection = (connection: ConnectionState): void => this.#note(name, { error: undefined, connection })
    let last = ''
    try {
      do {
        const begin = last === '' ? this.#begin : { since: last }
        for await (const { timestamp, message } of troupe().containers.follow(name, {
          ...begin,
          signal,
          onConnection,
        })) {
          last = timestamp || last
          this.#take({ source: name, timestamp, sortedBy: last, message, text: plainText(message), isNote: false })
        }
        const text = `${name} has ended.`
        this.#take({ source: name, timestamp: '', sortedBy: last, message: text, text, isNote: true })
      } while (await runsAgain(name, signal))
    } catch (error) {
      if (signal.aborted) return
      noteFailure(error)
      this.#note(name, { error: error as Error, connection: undefined })
    }
  }

  #note(name: string, state: SourceState): void {
    this.update({ sources: { ...this.state.sources, [name]: state } })
  }

  /** Gathers what comes within a moment. */
  #take(line: Omit<LogLine, 'key'>): void {
    this.#fresh.push({ key: ++this.#lastKey, ...line })
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined
      const fresh = this.#fresh
      this.#fresh = []
      this.update({ lines: newestLines(mergeLines(this.state.lines, fresh)) })
    }, SHOW_EVERY_MS)
  }
}

/** Waits until a container that has ended runs again; false when nobody waits any more. */
async function runsAgain(name: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const all = await troupe()
      .containers.list({ signal })
      .catch(() => undefined)
    if (all?.containers.some((container) => container.name === name && container.status === 'running')) return true
  }
  return false
}
