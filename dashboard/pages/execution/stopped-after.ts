import type { Schema } from '../../../client/index.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'

type Stopped = Pick<Schema<'Job'>, 'status' | 'started_at' | 'completed_at'>

/**
 * How long a canceled execution took to come to rest, in ms: from its event of the cancel to its end, both of which the service
 * recorded. Undefined where one of them is not known, or the clocks of the two machines contradict each other.
 */
export function stoppedAfterMs({ status, started_at, completed_at }: Stopped, table: TraceTable): number | undefined {
  const row = status === 'canceled' ? table.type.lastIndexOf('task_cancel_requested') : -1
  if (row === -1 || started_at === null || completed_at === null) return undefined
  const tookMs = Date.parse(completed_at) - (table.originMs + (table.start[row] as number))
  return tookMs < 0 ? undefined : tookMs
}
