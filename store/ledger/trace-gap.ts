import type { Store } from '../mongodb/connect.ts'
import { newestTraceId } from './newest-trace-id.ts'

/** More events than any client can have seen between a backup and the end of the installation that it was made of. */
const GAP = 1_000_000

/**
 * Leaves a gap in the ids of trace events after a restore. Clients that saw events which the copy does not hold come back with
 * their ids: without the gap they would miss everything until new ids had passed those.
 * @returns the id behind which events go on
 */
export async function leaveTraceGap(store: Store): Promise<number> {
  const last = { $max: [{ $ifNull: ['$last_trace_id', 0] }, await newestTraceId(store)] }
  const counter = await store.counters.findOneAndUpdate(
    { _id: 'ledger' },
    [{ $set: { last_trace_id: { $add: [last, GAP] } } }],
    { upsert: true, returnDocument: 'after' },
  )
  return counter?.last_trace_id ?? GAP
}
