import type { ClientSession } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { LedgerEntry } from './entry.ts'

/** Ids of open executions whose state changes. */
export interface OpenChanges {
  /** Tasks that began and did not end in the same group. */
  started: string[]
  /** Started executions only, because the others are already at rest. */
  canceled: string[]
  ended: string[]
  /** The provider account that each workflow waits for from now on; undefined for a run that continues. */
  waiting: Map<string, string | undefined>
}

/** Collects the changes of a group of ledger entries. */
export function openChanges(entries: LedgerEntry[]): OpenChanges {
  const started = new Set<string>()
  const canceled = new Set<string>()
  const ended = new Set<string>()
  const waiting = new Map<string, string | undefined>()
  for (const { jobId, batchId, take, waitsFor, startedAt, finish, stoppedAt } of entries) {
    if (take?.resumes === true) waiting.set(jobId, undefined)
    if (waitsFor !== undefined) waiting.set(jobId, waitsFor)
    if (startedAt !== undefined && batchId !== undefined) started.add(jobId)
    if (finish?.status === 'canceled') canceled.add(jobId)
    if ((finish !== undefined && finish.status !== 'canceled') || stoppedAt !== undefined) ended.add(jobId)
  }
  const goesOn = (id: string): boolean => !ended.has(id)
  for (const id of ended) waiting.delete(id)
  return { started: [...started].filter(goesOn), canceled: [...canceled].filter(goesOn), ended: [...ended], waiting }
}

/** Writes the changes of a group of ledger entries, after the executions themselves. */
export async function changeOpen(
  { open, executions }: Pick<Store, 'open' | 'executions'>,
  session: ClientSession,
  { started, canceled, ended, waiting }: OpenChanges,
): Promise<void> {
  const among = (ids: string[]) => ({ _id: { $in: ids } })
  const waits = [...waiting].map(([_id, account]) => ({
    updateOne: {
      filter: { _id },
      update: account === undefined ? { $unset: { waits_for: '' as const } } : { $set: { waits_for: account } },
    },
  }))
  if (waits.length > 0) await open.bulkWrite(waits, { session })
  if (started.length > 0) await open.updateMany(among(started), { $set: { started: true } }, { session })
  const atRest = { ...among(canceled), completed_at: { $ne: null } }
  const found =
    canceled.length === 0 ? [] : await executions.find(atRest, { session, projection: { _id: 1 } }).toArray()
  const resting = found.map(({ _id }) => _id)
  const stopping = canceled.filter((id) => !resting.includes(id))
  if (stopping.length > 0) await open.updateMany(among(stopping), { $set: { stopping: true } }, { session })
  const over = [...ended, ...resting]
  if (over.length > 0) await open.deleteMany(among(over), { session })
}
