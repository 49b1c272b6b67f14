import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEntry } from '../../contracts/containers.ts'
import { byStamp, LogParser } from './log-lines.ts'
import { asEngineError } from './engine.ts'

/** What one answer may hold in memory; beyond it the newest lines stay. */
export const MAX_LOG_BYTES = 16_777_216

// What an entry costs beside its text: object, two string headers, stamp.
const ENTRY_BYTES = 160
// The engine copies stdout and stderr side by side: lines are some 300 µs out of order, more on a machine that is busy.
const HOLD_MS = 25
const MAX_HELD = 1_000

/** A log that was read to its end. */
export interface ReadLog {
  /** In the order of their stamps. */
  entries: LogEntry[]
  /** Records of the engine, see LogParser. */
  records: number
  /** The entry of the first record. */
  first: LogEntry | undefined
  /** Older lines were dropped, as the log is larger than MAX_LOG_BYTES. */
  cut: boolean
}

/**
 * Reads a log to its end and keeps the newest lines that fit into MAX_LOG_BYTES.
 * @throws TroupeError engine_unavailable
 */
export async function readLog(response: Readable): Promise<ReadLog> {
  const parser = new LogParser()
  let entries: LogEntry[] = []
  let start = 0
  let bytes = 0
  let cut = false
  for await (const batch of batches(response, parser)) {
    for (const entry of batch) {
      entries.push(entry)
      bytes += costOf(entry)
      for (let oldest = entries[start]; bytes > MAX_LOG_BYTES && oldest; oldest = entries[start]) {
        bytes -= costOf(oldest)
        start += 1
        cut = true
      }
    }
    if (start > entries.length / 2) {
      entries = entries.slice(start)
      start = 0
    }
  }
  const { records, first } = parser
  return { entries: entries.slice(start).toSorted(byStamp), records, first, cut }
}

/**
 * Follows a log: an object stream of LogEntry in the order of their stamps (as far as they come within 25 ms), read from the engine no faster than it is
 * consumed. Destroying it ends the engine's request at once; it errs with TroupeError engine_unavailable.
 */
export function followLog(response: Readable): Readable {
  const entries = inOrder(batches(response, new LogParser()))
  return new Readable({
    objectMode: true,
    read() {
      entries.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      )
    },
    destroy(error, callback) {
      response.destroy()
      callback(error)
    },
  })
}

async function* batches(response: Readable, parser: LogParser): AsyncGenerator<LogEntry[], void, void> {
  try {
    for await (const chunk of response) yield parser.push(chunk)
  } catch (error) {
    throw asEngineError(error)
  }
  yield parser.end()
}

/**
 * Holds each entry for a moment, so that one with an older stamp can still come before it. Of two generations only
 * entries up to the newest stamp of the older one go on: what they wait for has had HOLD_MS to arrive.
 */
async function* inOrder(source: AsyncGenerator<LogEntry[], void, void>): AsyncGenerator<LogEntry, void, void> {
  let older: LogEntry[] = []
  let newer: LogEntry[] = []
  let next = nextOf(source)
  let due: Promise<undefined> | undefined
  for (;;) {
    due ??= older.length + newer.length > 0 ? sleep(HOLD_MS, undefined) : undefined
    const arrived = await (due === undefined ? next : Promise.race([next, due]))
    if (arrived?.value) {
      newer.push(...arrived.value)
      next = nextOf(source)
      if (newer.length < MAX_HELD) continue
    }
    const all = [...older, ...newer].toSorted(byStamp)
    const newestOfOlder = older.at(-1)
    const last =
      arrived?.done || newer.length === 0 ? all.length - 1 : newestOfOlder ? all.lastIndexOf(newestOfOlder) : -1
    yield* all.slice(0, last + 1)
    if (arrived?.done) return
    older = all.slice(last + 1)
    newer = []
    due = undefined
  }
}

/** A reader that leaves while lines are being given on never awaits the next ones: their failure is nobody's then. */
function nextOf<Item>(source: AsyncGenerator<Item, void, void>): Promise<IteratorResult<Item, void>> {
  const next = source.next()
  next.catch(() => undefined)
  return next
}

function costOf({ message }: LogEntry): number {
  return message.length * 2 + ENTRY_BYTES
}
