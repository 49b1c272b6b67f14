import { randomUUID } from 'node:crypto'
import type { ClientSession, Collection, Filter } from 'mongodb'
import { codeOf, TroupeError } from '../../core/errors.ts'
import { batchBudgetId, budgetsOf } from '../spending/budgets.ts'
import type { Blobs } from '../objects/blobs.ts'
import type { Store } from '../mongodb/connect.ts'
import type { ExecutionDocument } from '../documents.ts'
import { removeObjectsUnder } from '../objects/remove-objects-under.ts'
import { idRange } from '../mongodb/id-range.ts'
import { transact } from '../mongodb/transact.ts'
import { noBatch, noExecution } from '../not-found.ts'
import { objectKey } from '../objects/contents.ts'

/**
 * A deletion in progress. Its executions are already gone, so nothing more is written for them; their data is being
 * removed. This document is removed last, so that any process can finish the deletion.
 */
export interface DeletionDocument {
  _id: string
  at: Date
  /** The batch whose tasks are being deleted in portions. Its id stays reserved until the last task is gone. */
  batch_id?: string
  /** Executions whose traces, steps and objects still exist. */
  jobs: string[]
  /** Their objects that no prefix covers. */
  keys: string[]
}

/** Counts of removed documents and objects. */
export interface DeletedCounts {
  executions: number
  traces: number
  steps: number
  objects: number
}

/** Dependencies of a deletion. */
export interface DeletionDependencies {
  store: Store
  blobs: Blobs
}

const PORTION_EXECUTIONS = 250
const PORTION_TRACES = 2_000
/** Concurrent deletions mostly use different counter documents. */
const COUNTER_SLOTS = 16

/** Returns the collection of deletions in progress. */
export function deletionsOf(store: Store): Collection<DeletionDocument> {
  return store.db.collection<DeletionDocument>('deletions')
}

/**
 * Deletes an ended execution with its traces, steps and objects. Totals do not change.
 * @throws TroupeError not_found; conflict while it runs, or while its batch exists; storage_failed if the object store
 * does not respond: the rest is then deleted later.
 */
export async function deleteExecution(deps: DeletionDependencies, id: string): Promise<DeletedCounts> {
  const { store } = deps
  const deletion = await transact(store, async (session) => {
    const execution = await store.executions.findOne({ _id: id }, { session, projection: { inputs: 0, outputs: 0 } })
    if (execution === null) throw noExecution(id)
    if (execution.completed_at === null) {
      throw notEnded(`Execution "${id}"`, execution.status)
    }
    const { batch_id: batch } = execution
    if (batch !== undefined && (await store.batches.findOne({ _id: batch }, { session, projection: { _id: 1 } }))) {
      throw new TroupeError('conflict', `Execution "${id}" is a task of batch "${batch}": delete the batch.`)
    }
    return takeExecutions(store, { _id: id }, session)
  })
  if (deletion === undefined) throw noExecution(id)
  return finished(`Execution "${id}"`, finishPortion(deps, deletion))
}

/**
 * Deletes an ended batch with all of its tasks.
 * @throws TroupeError not_found; conflict while the batch or one of its tasks runs; storage_failed as above
 */
export async function deleteBatch(deps: DeletionDependencies, id: string): Promise<DeletedCounts> {
  const deletion = await beginBatchDeletion(deps.store, id)
  const total: DeletedCounts = { executions: 0, traces: 0, steps: 0, objects: 0 }
  const all = async (): Promise<DeletedCounts> => {
    for await (const counts of finishDeletion(deps, deletion)) add(total, counts)
    return total
  }
  return finished(`Batch "${id}"`, all())
}

/** Creates the error for a deletion of a run or batch that has not ended. */
function notEnded(what: string, status: string): TroupeError {
  const sentence =
    status === 'canceled'
      ? 'was canceled and has not stopped yet: try again in a moment'
      : 'still runs: cancel it, or wait for its end'
  return new TroupeError('conflict', `${what} ${sentence}.`)
}

/**
 * Removes a batch and records the deletion of its tasks.
 * @param endedBefore - a batch that ended later is kept (conflict).
 * @throws TroupeError not_found; conflict while the batch or one of its tasks runs
 */
export async function beginBatchDeletion(store: Store, id: string, endedBefore?: Date): Promise<DeletionDocument> {
  return transact(store, async (session) => {
    const batch = await store.batches.findOne({ _id: id }, { session })
    if (batch === null) throw noBatch(id)
    if (batch.completed_at === null || (endedBefore !== undefined && batch.completed_at >= endedBefore)) {
      throw notEnded(`Batch "${id}"`, batch.status)
    }
    // A canceled task counts as ended at once, but it may write until it has stopped.
    const stopping = await store.open.findOne({ batch_id: id }, { session })
    if (stopping !== null) {
      throw notEnded(`Task "${stopping._id}" of batch "${id}"`, 'canceled')
    }
    const deletion: DeletionDocument = { _id: randomUUID(), at: new Date(), batch_id: id, jobs: [], keys: [] }
    await deletionsOf(store).insertOne(deletion, { session })
    await store.batches.deleteOne({ _id: id }, { session })
    if (batch.budget !== undefined) await budgetsOf(store).deleteOne({ _id: batchBudgetId(id) }, { session })
    return deletion
  })
}

/** Finishes a deletion and yields the counts of each portion. Several processes may do this at the same time. */
export async function* finishDeletion(
  deps: DeletionDependencies,
  deletion: DeletionDocument,
): AsyncGenerator<DeletedCounts> {
  for (;;) {
    const portion = await takeTasks(deps.store, deletion)
    if (portion === undefined) break
    yield await finishPortion(deps, portion)
  }
  yield await finishPortion(deps, deletion)
}

/**
 * Takes some tasks of a batch that is being deleted. If another process has finished the deletion, the batch's id is
 * free again, and tasks with this id belong to a new batch.
 */
function takeTasks(store: Store, { _id, batch_id }: DeletionDocument): Promise<DeletionDocument | undefined> {
  return transact(store, async (session) => {
    if (batch_id === undefined || (await deletionsOf(store).findOne({ _id }, { session })) === null) return undefined
    return takeExecutions(store, { batch_id }, session)
  })
}

/** Takes a portion of ended executions for deletion; undefined if there are none. */
export function takePortion(store: Store, filter: Filter<ExecutionDocument>): Promise<DeletionDocument | undefined> {
  return transact(store, (session) => takeExecutions(store, filter, session))
}

/** Deletes the executions first, in one transaction with the record of the data that is left. */
async function takeExecutions(
  store: Store,
  filter: Filter<ExecutionDocument>,
  session: ClientSession,
): Promise<DeletionDocument | undefined> {
  const found = await store.executions
    .find({ $and: [filter, { completed_at: { $ne: null } }] }, { session })
    .project<Pick<ExecutionDocument, '_id' | 'inputs' | 'outputs'>>({ 'inputs.pointer': 1, 'outputs.pointer': 1 })
    .limit(PORTION_EXECUTIONS)
    .toArray()
  if (found.length === 0) return undefined
  const jobs = found.map(({ _id }) => _id)
  const keys = found.flatMap(({ inputs, outputs }) =>
    [objectKey(inputs), objectKey(outputs)].filter((key) => key !== undefined),
  )
  const deletion: DeletionDocument = { _id: randomUUID(), at: new Date(), jobs, keys }
  await deletionsOf(store).insertOne(deletion, { session })
  await store.executions.deleteMany({ _id: { $in: jobs } }, { session })
  // The counter comes last: its lock is held until the commit, and other transactions wait for it.
  const slot = `deleted-${Math.floor(Math.random() * COUNTER_SLOTS)}`
  await store.counters.updateOne({ _id: slot }, { $inc: { deleted: jobs.length } }, { session, upsert: true })
  return deletion
}

/** Removes the remaining data of some executions, then the record of the deletion. */
export async function finishPortion(
  { store, blobs }: DeletionDependencies,
  { _id, jobs, keys }: DeletionDocument,
): Promise<DeletedCounts> {
  // This reads records that are deleted below.
  const prefixes = (await jobsWithObjects(store, jobs)).map((job) => `steps/${job}/`)
  await blobs.remove(keys)
  const objects = keys.length + (await removeObjectsUnder(blobs, prefixes))
  const traces = await deleteTraces(store, jobs)
  const steps = await deleteUnder(store.steps, jobs)
  // This includes executions that spent nothing from their agents' budgets: only the budget documents show that budgets
  // were opened.
  await deleteUnder(budgetsOf(store), jobs)
  await deletionsOf(store).deleteOne({ _id })
  return { executions: jobs.length, traces, steps, objects }
}

/**
 * Returns the executions that may have objects of their steps. A query of the object store for each execution costs
 * more than all the rest, and most tasks of a batch have no objects. Of several executions, the result therefore has
 * only those whose records name an object. Objects of superseded attempts, which no record names, are collected as
 * orphans.
 */
async function jobsWithObjects({ steps, traces }: Store, jobs: string[]): Promise<string[]> {
  if (jobs.length < 2) return jobs
  const named = { $or: jobs.map((job) => ({ _id: idRange(`${job}|`) })), 'result.pointer': { $exists: true } }
  const [inSteps, inTraces] = await Promise.all([
    steps.find(named, { projection: { _id: 1 } }).toArray(),
    traces.distinct('job_id', { job_id: { $in: jobs }, payload: /"offloaded":true/ }),
  ])
  return [...new Set([...inSteps.map(({ _id }) => _id.slice(0, _id.indexOf('|'))), ...inTraces])]
}

/** Deletes in portions, because a run can have a million events. */
async function deleteTraces({ traces }: Store, jobs: string[]): Promise<number> {
  for (let deleted = 0; ;) {
    const found = await traces
      .find({ job_id: { $in: jobs } }, { projection: { _id: 1 } })
      .limit(PORTION_TRACES)
      .toArray()
    if (found.length === 0) return deleted
    const { deletedCount } = await traces.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })
    deleted += deletedCount
  }
}

/**
 * Deletes documents whose ids begin with ids of executions.
 * @returns the number of deleted documents
 */
async function deleteUnder<Kind extends { _id: string }>(documents: Collection<Kind>, jobs: string[]): Promise<number> {
  if (jobs.length === 0) return 0
  const { deletedCount } = await documents.bulkWrite(
    jobs.map((job) => ({ deleteMany: { filter: { _id: idRange(`${job}|`) } as Filter<Kind> } })),
    { ordered: false },
  )
  return deletedCount
}

function add(total: DeletedCounts, counts: DeletedCounts): void {
  for (const name of Object.keys(total) as (keyof DeletedCounts)[]) total[name] += counts[name]
}

async function finished(what: string, deletion: Promise<DeletedCounts>): Promise<DeletedCounts> {
  try {
    return await deletion
  } catch (error) {
    if (codeOf(error) !== 'storage_failed') throw error
    const sentence = `${what} is deleted, but the object store does not answer: what is left of it is deleted when it does.`
    throw new TroupeError('storage_failed', sentence, { cause: error })
  }
}
