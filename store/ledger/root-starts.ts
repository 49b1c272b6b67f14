import type { ClientSession } from 'mongodb'
import { depthOf } from '../../core/step-path.ts'
import type { Store } from '../mongodb/connect.ts'
import type { Take } from '../../core/transitions.ts'
import type { LedgerEntry } from './entry.ts'

/**
 * Ids of the latest root task_start of the executions that events of these entries refer to. Read in the entries' own
 * transaction, because a run may start at any moment before it.
 */
export async function rootStarts(
  { executions }: Pick<Store, 'executions'>,
  session: ClientSession,
  entries: LedgerEntry[],
): Promise<Map<string, number>> {
  const ids = entries.filter(({ events }) => events.some(({ parent }) => parent === 'root')).map(({ jobId }) => jobId)
  if (ids.length === 0) return new Map()
  const found = await executions.find({ _id: { $in: ids } }, { session, projection: { takes: 1 } }).toArray()
  return new Map(found.map(({ _id, takes }) => [_id, latestStart(takes)] as const).filter(isKnown))
}

function latestStart(takes: Record<string, Take> = {}): number | undefined {
  const roots = Object.entries(takes).filter(([path]) => depthOf(decodeURIComponent(path)) === 0)
  const starts = roots.flatMap(([, { start }]) => start ?? [])
  return starts.length === 0 ? undefined : Math.max(...starts)
}

function isKnown(start: readonly [string, number | undefined]): start is [string, number] {
  return start[1] !== undefined
}
