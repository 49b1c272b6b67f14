import { GroupCommitter } from './group-commit.ts'
import type { Log } from '../log.ts'
import type { Store } from './connect.ts'
import { LedgerCommit, type Outcome } from './ledger-commit.ts'
import type { AppendResult, LedgerEntry } from './ledger-entry.ts'

/** The one way in which a process writes what executions did. */
export interface Ledger {
  /**
   * Writes entries in their order. Resolves when they are durable; an entry whose step was recorded before is dropped
   * and its references get the recorded ids, one whose writer was overtaken is dropped.
   */
  append: (entry: LedgerEntry) => Promise<AppendResult>
  /** Resolves when nothing is waiting to be written. */
  drain: () => Promise<void>
}

export interface LedgerOptions {
  store: Store
  log: Log
  /** False with TRACING=disabled: events are counted but not kept. */
  tracing: boolean
  /**
   * How long MongoDB may be away before an append fails. Infinity in a worker, where an answer that was paid for waits as
   * long as it takes; short in the API, whose clients want to know.
   */
  timeoutMs: number
  /** Told of every group that was committed: its entries, and how long that took. */
  onCommit?: (entries: readonly LedgerEntry[], seconds: number) => void
}

const MAX_ENTRIES = 500
const MAX_BYTES = 4_194_304

/** Creates the ledger of a process: groups of entries, one MongoDB transaction each, ids in the order of commits. */
export function createLedger(options: LedgerOptions): Ledger {
  const commits = new LedgerCommit(options)
  const group = new GroupCommitter<LedgerEntry, Outcome>({
    commit: (entries) => commits.commit(entries),
    maxItems: MAX_ENTRIES,
    maxWeight: MAX_BYTES,
    weigh: weightOf,
    gatherMs: 0,
  })
  return {
    async append(entry) {
      const outcome = await group.add(entry)
      if ('failure' in outcome) throw outcome.failure
      return outcome
    },
    drain: () => group.drain(),
  }
}

function weightOf({ events, result, finish }: LedgerEntry): number {
  const content = [result, finish?.outputs].reduce(
    (sum, item) => sum + (item != null && 'json' in item ? item.json.length : 0),
    0,
  )
  return content + events.reduce((sum, { payload }) => sum + payload.length, 0)
}
