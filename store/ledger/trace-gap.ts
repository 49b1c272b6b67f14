import type { Store } from '../mongodb/connect.ts'
import { newestTraceId } from './newest-trace-id.ts'

/** More events than any client can have seen between a backup and the end of the backed-up installation. */
const GAP = 1_000_000

/**
 * Leaves a gap in the ids of trace events after a restore. Returning clients send ids of events that the backup does
 * not contain. Without the gap they would miss all events until new ids exceed these.
 * @returns the id after which events continue.
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
