import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEntry } from '../../contracts/containers.ts'
import { byStamp, LogParser } from './log-lines.ts'
import { asEngineError } from './engine.ts'

/** Maximum memory for one response; of a larger log, only the newest lines are kept. */
export const MAX_LOG_BYTES = 16_777_216

// Memory overhead of an entry: object, two string headers, timestamp.
const ENTRY_BYTES = 160
// The engine copies stdout and stderr concurrently: lines are out of order by about 300 µs, more on a busy machine.
const HOLD_MS = 25
const MAX_HELD = 1_000

/** A log that was read completely. */
export interface ReadLog {
  /** In the order of their timestamps. */
  entries: LogEntry[]
  /** Number of records of the engine; see LogParser. */
  records: number
  /** The entry of the first record. */
  first: LogEntry | undefined
  /** Whether older lines were dropped because the log is larger than MAX_LOG_BYTES. */
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
 * Follows a log: an object stream of LogEntry, sorted by timestamp within windows of 25 ms and read from the engine with
 * back-pressure. Destroying it ends the request at once. It fails with TroupeError engine_unavailable.
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
 * Delays each entry by HOLD_MS, so that an entry with an older timestamp can still be sorted before it. Keeps two generations
 * and emits the entries up to the newest timestamp of the older one.
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

/** Prefetches the next lines. Ignores their failure if the reader stops before it awaits them. */
function nextOf<Item>(source: AsyncGenerator<Item, void, void>): Promise<IteratorResult<Item, void>> {
  const next = source.next()
  next.catch(() => undefined)
  return next
}

function costOf({ message }: LogEntry): number {
  return message.length * 2 + ENTRY_BYTES
}
