import { inlineLength } from '../objects/contents.ts'
import { GroupCommitter } from '../mongodb/group-commit.ts'
import { LedgerCommit, type LedgerOptions, type Outcome } from './commit.ts'
import type { AppendResult, LedgerEntry } from './entry.ts'

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
  const content = inlineLength(result) + inlineLength(finish?.outputs)
  return events.reduce((sum, { payload }) => sum + payload.length, content)
}
