import type { ClientSession } from 'mongodb'
import type { Store } from './connect.ts'
import type { ExecutionDocument, OpenDocument } from './documents.ts'
import type { LedgerEntry } from './ledger-entry.ts'

/** A task of a batch that its range has to run: one that waits for something long goes on under a workflow of its own. */
export const OF_RANGE = { detached: { $exists: false } } as const

/** Of what is open, that which no cancel has reached. */
export const RUNNING = { stopping: { $exists: false } } as const

/** Of batches, those of which each task has ended: no task is left that is open and not known to be. */
export const ALL_COUNTED = { $expr: { $eq: [{ $add: ['$succeeded', '$failed'] }, '$task_count'] } }

/** What says of an execution that it is open; stored and taken away in the same moment as the execution begins and ends. */
export function openDocument({
  _id,
  kind,
  prompt_name,
  created_at,
  batch_id,
  batch_index,
}: ExecutionDocument): OpenDocument {
  return { _id, kind, prompt_name, created_at, batch_id, batch_index }
}

/** Whether an open execution has a workflow of its own: a task of a batch belongs to the batch's until it is detached. */
export async function hasWorkflow(
  { open }: Pick<Store, 'open'>,
  { _id, kind }: Pick<ExecutionDocument, '_id' | 'kind'>,
) {
  return kind !== 'task' || (await open.findOne({ _id, detached: true })) !== null
}

/** Ids of executions that do not stay open as they are. */
export interface OpenChanges {
  /** Tasks that have begun, and have not ended in the same moment. */
  started: string[]
  /** Those that never began have nothing left to stop. */
  canceled: string[]
  ended: string[]
  /** The provider's account for which each waits at Temporal from now on; undefined where it goes on. */
  waiting: Map<string, string | undefined>
}

/** What a group of ledger entries changes. */
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

/** Writes what a group of ledger entries changes, after the executions themselves. */
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
