import { inlineLength } from '../objects/contents.ts'
import { GroupCommitter } from '../mongodb/group-commit.ts'
import { LedgerCommit, type LedgerOptions, type Outcome } from './commit.ts'
import type { AppendResult, LedgerEntry } from './entry.ts'

/** The only way in which a process records what executions did. */
export interface Ledger {
  /**
   * Writes entries in order and resolves when they are durable. An entry whose step was recorded before is dropped, and
   * its references receive the recorded ids. An entry whose writer was overtaken is dropped.
   */
  append: (entry: LedgerEntry) => Promise<AppendResult>
  /** Resolves when nothing is waiting to be written. */
  drain: () => Promise<void>
}

const MAX_ENTRIES = 500
const MAX_BYTES = 4_194_304

/**
 * Creates the ledger of a process. It commits groups of entries, each in one MongoDB transaction; ids follow commit
 * order.
 */
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
