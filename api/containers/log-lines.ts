import type { LogEntry } from '../../contracts/containers.ts'
import { TroupeError } from '../../core/errors.ts'

/** A longer line is split into several entries of about this size with the same timestamp. */
export const MAX_LINE_BYTES = 1_048_576

// Maximum size of a record: engines write at most one mebibyte, so a larger size means that the data is not a log.
const MAX_FRAME_BYTES = 4 * 1_048_576
const HEADER_BYTES = 8
const SYSTEM_ERROR = 3
const LONGEST_STAMP_BYTES = 36
const LINE_FEED = 0x0a
const SPACE = 0x20
const stampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

interface OpenLine {
  entry: LogEntry
  parts: Buffer[]
  bytes: number
}

/**
 * Parses the log of a Docker engine with `timestamps=1` into entries, independent of chunk boundaries. The first byte
 * shows whether the container has a TTY: a frame starts with a stream number, a bare record with the digit of a timestamp.
 *
 * Without a TTY, the bytes are framed: stream, length, payload. A payload is one record: a timestamp and a part of a line, at
 * most 16 KiB. The parts of a line share its timestamp, and the last part ends with a line feed. With a TTY, records have no frames, and the
 * timestamp of a long line is repeated before each of its parts.
 */
export class LogParser {
  /** Number of records so far. The engine's `tail` counts records, and a long line is several records. */
  records = 0
  /** The entry of the first record; only its beginning may be missing because of `tail`. */
  first: LogEntry | undefined
  /** Undefined before the first byte. */
  #isFramed: boolean | undefined
  readonly #open = new Map<number, OpenLine>()
  #rest: Buffer = Buffer.alloc(0)
  #restContinues = false

  /**
   * Returns the entries that this chunk completes, in the order of their ends.
   * @throws TroupeError engine_unavailable when the data is not a log, or the engine reports a read error.
   */
  push(chunk: Buffer): LogEntry[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    if (bytes[0] === undefined) return []
    this.#isFramed ??= bytes[0] <= SYSTEM_ERROR
    return this.#isFramed ? this.#pushFrames(bytes) : this.#pushBare(bytes)
  }

  /** Returns the lines without a line feed at the end of the log. */
  end(): LogEntry[] {
    if (this.#isFramed === false) return this.#rest.length === 0 ? [] : [this.#bareLine(this.#rest)]
    const entries = [...this.#open.values()].map(finished)
    this.#open.clear()
    return entries
  }

  #pushFrames(bytes: Buffer): LogEntry[] {
    const entries: LogEntry[] = []
    let offset = 0
    while (bytes.length - offset >= HEADER_BYTES) {
      const stream = bytes.readUInt8(offset)
      const length = bytes.readUInt32BE(offset + 4)
      if (stream > SYSTEM_ERROR || bytes.readUIntBE(offset + 1, 3) !== 0 || length > MAX_FRAME_BYTES) {
        throw new TroupeError('engine_unavailable', 'The container engine sent data that is not a log.')
      }
      const end = offset + HEADER_BYTES + length
      if (end > bytes.length) break
      entries.push(...this.#record(stream, bytes.subarray(offset + HEADER_BYTES, end)))
      offset = end
    }
    this.#rest = bytes.subarray(offset)
    return entries
  }

  #record(stream: number, payload: Buffer): LogEntry[] {
    if (stream === SYSTEM_ERROR) {
      throw new TroupeError('engine_unavailable', `The container engine cannot read the log: ${payload.toString()}`)
    }
    if (payload.length === 0) return []
    const { stamp, content } = splitStamp(payload)
    const open = this.#open.get(stream)
    const entry = entryOf(stamp)
    // Some drivers lose the last line feed of a long line, and a container that stopped in the middle of a line may restart.
    const isNext = open !== undefined && open.entry.timestamp !== entry.timestamp
    const before = isNext ? [finished(open)] : []
    const line = open === undefined || isNext ? { entry, parts: [], bytes: 0 } : open
    this.records += 1
    this.first ??= line.entry
    line.parts.push(content)
    line.bytes += content.length
    if (content.at(-1) === LINE_FEED) {
      this.#open.delete(stream)
      return [...before, finished(line)]
    }
    if (line.bytes <= MAX_LINE_BYTES) {
      this.#open.set(stream, line)
      return before
    }
    const bytes = Buffer.concat(line.parts)
    const at = characterBorder(bytes, MAX_LINE_BYTES)
    const rest = bytes.subarray(at)
    this.#open.set(stream, { entry: { ...line.entry }, parts: [rest], bytes: rest.length })
    return [...before, finished({ ...line, parts: [bytes.subarray(0, at)] })]
  }

  #pushBare(bytes: Buffer): LogEntry[] {
    const entries: LogEntry[] = []
    let offset = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, offset)) {
      entries.push(this.#bareLine(bytes.subarray(offset, end + 1)))
      offset = end + 1
    }
    this.#rest = bytes.subarray(offset)
    if (this.#rest.length > MAX_LINE_BYTES + LONGEST_STAMP_BYTES) {
      const { prefix } = splitStamp(this.#rest)
      // Keeps back the end of the text, so that a timestamp between two parts is never split.
      const at = characterBorder(this.#rest, this.#rest.length - LONGEST_STAMP_BYTES)
      const rest = Buffer.concat([prefix, this.#rest.subarray(at)])
      entries.push(this.#bareLine(this.#rest.subarray(0, at)))
      this.#rest = rest
      this.#restContinues = true
    }
    return entries
  }

  #bareLine(line: Buffer): LogEntry {
    const { prefix, stamp, content } = splitStamp(line)
    const pieces = prefix.length === 0 ? [content] : splitAt(content, prefix)
    this.records += pieces.length - (this.#restContinues ? 1 : 0)
    this.#restContinues = false
    const entry = finished({ entry: entryOf(stamp), parts: pieces, bytes: content.length })
    // A terminal converts each line feed to carriage return and line feed.
    if (line.at(-1) === LINE_FEED && entry.message.endsWith('\r')) entry.message = entry.message.slice(0, -1)
    this.first ??= entry
    return entry
  }
}

/** Compares two entries by timestamp; entries without one keep their position. */
export function byStamp(a: LogEntry, b: LogEntry): number {
  if (a.timestamp === '' || b.timestamp === '') return 0
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0
}

function splitStamp(record: Buffer): { prefix: Buffer; stamp: string; content: Buffer } {
  const end = record.subarray(0, LONGEST_STAMP_BYTES).indexOf(SPACE)
  const stamp = end === -1 ? '' : record.toString('latin1', 0, end)
  if (!stampShape.test(stamp)) return { prefix: record.subarray(0, 0), stamp: '', content: record }
  return { prefix: record.subarray(0, end + 1), stamp, content: record.subarray(end + 1) }
}

/** Normalizes a timestamp to UTC with nine digits, as Docker writes it; other engines use a local zone and fewer digits. */
function entryOf(stamp: string): LogEntry {
  if (stamp === '' || (stamp.length === 30 && stamp.endsWith('Z'))) return { timestamp: stamp, message: '' }
  const fraction = /\.(\d+)/.exec(stamp)?.[1] ?? ''
  const milliseconds = Date.parse(stamp.replace(/\.\d+/, ''))
  const second = Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString().slice(0, 19)
  return { timestamp: second === undefined ? '' : `${second}.${fraction.padEnd(9, '0')}Z`, message: '' }
}

function finished({ entry, parts }: OpenLine): LogEntry {
  const [only] = parts
  const bytes = parts.length === 1 && only ? only : Buffer.concat(parts)
  entry.message = bytes.toString('utf8', 0, bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length)
  return entry
}

function splitAt(bytes: Buffer, separator: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  let offset = 0
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, offset)) {
    pieces.push(bytes.subarray(offset, at))
    offset = at + separator.length
  }
  return [...pieces, bytes.subarray(offset)]
}

/** The last character boundary at or before `at`; `at` itself when the bytes are not UTF-8. */
function characterBorder(bytes: Buffer, at: number): number {
  for (let start = at - 1; start >= at - 4 && start >= 0; start -= 1) {
    const byte = bytes[start] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return start + length > at ? start : at
  }
  return at
}
