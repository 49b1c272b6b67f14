import type { Schema } from './endpoint-types.ts'
import { resumingStream, type StreamOptions, type StreamSource } from './resuming-stream.ts'
import type { SocketAddresses } from './socket-addresses.ts'

/** A line of a container's log. */
export type LogEntry = Schema<'LogEntry'>

/** Options of a followed log. */
export interface LogStreamOptions extends StreamOptions {
  /** Number of last lines to start with (default 100). */
  tail?: number | undefined
  /** A duration before now (`5m`) or an ISO 8601 time at which to start instead. */
  since?: string | undefined
}

/** Streams a container's log, starting with its last lines, until the container ends; see {@link resumingStream}. */
export function logStream(
  addresses: SocketAddresses,
  container: string,
  lookUp: () => Promise<unknown>,
  { tail, since, ...options }: LogStreamOptions,
): AsyncGenerator<LogEntry, void, undefined> {
  const position = new LogPosition()
  const source: StreamSource<LogEntry> = {
    address: () =>
      addresses.of(`/ws/logs/${encodeURIComponent(container)}`, { ...(position.query() ?? { tail, since }) }),
    accept: (message) => (message.type === 'log' ? position.accept((message as Schema<'LogMessage'>).data) : []),
    isLast: () => false,
    explainRefusal: () => addresses.check(),
    explainError: async () => void (await lookUp()),
  }
  return resumingStream(source, options)
}

/**
 * The position in a log. Lines have no ids, and several may have the same timestamp: a reopened stream starts with the last
 * timestamp again, and the lines of it that were already read are skipped.
 */
class LogPosition {
  #stamp = ''
  #linesOfStamp = 0
  #toSkip = 0
  #isResuming = false

  /** The query to continue with; undefined before the first line. */
  query(): { since: string } | undefined {
    if (this.#stamp === '') return undefined
    this.#toSkip = this.#linesOfStamp
    this.#isResuming = true
    return { since: nanosecondBefore(this.#stamp) }
  }

  accept(entry: LogEntry): LogEntry[] {
    const { timestamp } = entry
    if (timestamp < this.#stamp && this.#isResuming) return []
    this.#isResuming = false
    if (timestamp !== this.#stamp) {
      this.#stamp = timestamp
      this.#linesOfStamp = 1
      return [entry]
    }
    if (this.#toSkip > 0) {
      this.#toSkip--
      return []
    }
    this.#linesOfStamp++
    return [entry]
  }
}

const STAMP = /^(.*:\d\d)\.(\d{1,9})Z$/

/** The nanosecond before a timestamp. `since` is exclusive, so this gets the lines of the timestamp again. */
function nanosecondBefore(stamp: string): string {
  const match = STAMP.exec(stamp)
  const [, second = '', fraction = ''] = match ?? []
  const nanoseconds = Number(fraction.padEnd(9, '0'))
  if (match !== null && nanoseconds > 0) return `${second}.${String(nanoseconds - 1).padStart(9, '0')}Z`
  return new Date(Date.parse(stamp) - 1).toISOString()
}
