import type { LogEntry } from '../../contracts/containers.ts'
import { TroupeError } from '../../core/errors.ts'

/** A longer line comes as several entries of about this many bytes, under the same stamp: nothing is lost. */
export const MAX_LINE_BYTES = 1_048_576

// The longest record that an engine writes is a mebibyte; what claims to be longer is no log.
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
 * Turns what a Docker engine sends for a log with `timestamps=1` into entries, whatever the borders of its chunks. Its first byte
 * tells whether the container has a TTY: a frame begins with the number of a stream, a bare record with the digit of a stamp.
 *
 * Without a TTY the bytes are framed: stream, length, payload. A payload is one record: a stamp and a piece of a line, of
 * at most 16 KiB; the pieces of a line share its stamp, and the last one ends in a line feed. With a TTY the records come bare, so that the stamp of
 * a long line stands again before each of its pieces.
 */
export class LogParser {
  /** Records seen: what the engine counts for its own `tail`, where a long line is several. */
  records = 0
  /** The entry that the first record belongs to: the only one whose beginning a `tail` may have cut off. */
  first: LogEntry | undefined
  /** Undefined before the first byte. */
  #isFramed: boolean | undefined
  readonly #open = new Map<number, OpenLine>()
  #rest: Buffer = Buffer.alloc(0)
  #restContinues = false

  /**
   * Entries that this chunk completed, in the order of their ends.
   * @throws TroupeError engine_unavailable when it is no log, or the engine says that it cannot read on.
   */
  push(chunk: Buffer): LogEntry[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    if (bytes[0] === undefined) return []
    this.#isFramed ??= bytes[0] <= SYSTEM_ERROR
    return this.#isFramed ? this.#pushFrames(bytes) : this.#pushBare(bytes)
  }

  /** The lines that never got their line feed, once the log has ended. */
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
        throw new TroupeError('engine_unavailable', 'The container engine sent something that is not a log.')
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
    // Some drivers lose the last line feed of a long line, and a container that ended in the middle of one may start again.
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
      // Held back at the end: enough that a stamp between two pieces is never torn apart.
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
    // A terminal turns each line feed into carriage return and line feed.
    if (line.at(-1) === LINE_FEED && entry.message.endsWith('\r')) entry.message = entry.message.slice(0, -1)
    this.first ??= entry
    return entry
  }
}

/** The order of two entries by their stamps; entries without one stay where they are. */
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

/** UTC and nine digits, as Docker writes it; other engines write their own zone and fewer digits. */
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

/** The last place at or before `at` where no UTF-8 character is cut; `at` itself where the bytes are not UTF-8. */
function characterBorder(bytes: Buffer, at: number): number {
  for (let start = at - 1; start >= at - 4 && start >= 0; start -= 1) {
    const byte = bytes[start] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return start + length > at ? start : at
  }
  return at
}
