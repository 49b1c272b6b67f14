import { useState } from 'react'
import { rateOf, withSnapshot, type Rate, type Seen } from './rate.ts'

/** Between two snapshots: batches are read once a second at the most. */
const LEAST_MS = 900

/**
 * The pace of a batch, from what was read of it: while nothing can be read, nothing is said to be stalled.
 * @param readAtMs - when this was read
 */
export function useRate(summary: { recorded: number; total_expected: number }, readAtMs: number): Rate {
  const [seen, setSeen] = useState<Seen & { atMs: number }>()
  if (seen === undefined || readAtMs - seen.atMs >= LEAST_MS) {
    setSeen({ ...withSnapshot(seen, { recorded: summary.recorded, atMs: readAtMs }), atMs: readAtMs })
  }
  return rateOf(seen, summary.total_expected)
}
