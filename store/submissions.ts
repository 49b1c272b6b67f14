import type { ClientSession } from 'mongodb'
import type { Budget } from '../core/budget.ts'
import { canonicalJson } from '../core/json.ts'
import { TroupeError } from '../core/errors.ts'
import { GroupCommitter } from './mongodb/group-commit.ts'
import { batchBudgetId, budgetsOf, newBudget } from './spending/budgets.ts'
import type { Store } from './mongodb/connect.ts'
import { inlineLength } from './objects/contents.ts'
import type { BatchDocument, ExecutionDocument, Submitter } from './documents.ts'
import { deletionsOf } from './housekeeping/deletion.ts'
import { openDocument } from './open.ts'
import { count } from './ledger/series.ts'
import { transact } from './mongodb/transact.ts'
import { isDuplicateKey } from './mongodb/duplicate-key.ts'
import { noBatch } from './not-found.ts'

/** The writes of an API process that create executions. */
export interface Submissions {
  /** Stores an execution. An existing one with the same id is unchanged and returned. */
  insert: (execution: ExecutionDocument) => Promise<ExecutionDocument>
  /**
   * Deletes an execution whose workflow could not be started. Returns false if it already runs or a repeated request
   * has found it; it then stays.
   */
  withdraw: (id: string) => Promise<boolean>
  /**
   * Stores tasks of a batch in portions. Each portion and its indexes in the batch become visible atomically. Existing
   * tasks (of a repeated request) are unchanged.
   * @param tasks - at least one; read when their portion is written.
   * @returns the batch after the last portion.
   * @throws TroupeError bad_request if the batch was canceled; not_found if it must exist and does not.
   */
  addTasks: (batch: NewBatch, tasks: Iterable<ExecutionDocument>) => Promise<BatchDocument>
}

export interface NewBatch extends Submitter {
  id: string
  agentName: string
  mustExist: boolean
  at: Date
  /** The budget of all its tasks together. */
  budget?: Budget | undefined
  /** The budget of each task of the first submission. */
  task_budget?: Budget | undefined
}

/** Number of tasks in a transaction. With inputs of at most 100 kB each it stays well within MongoDB's limits. */
const PORTION_TASKS = 1_000
const PORTION_BYTES = 8_388_608
/** After conflicts with other writes for this long, the client is told to try again. */
const TIMEOUT_MS = 10_000
/** Processes count submissions in different documents, so that they do not wait for each other. */
const COUNTER_SLOTS = 16
const COUNTER = `submitted-${Math.floor(Math.random() * COUNTER_SLOTS)}`

/** Creates the submission writes of a process. */
export function createSubmissions(store: Store): Submissions {
  const inserts = new GroupCommitter<ExecutionDocument, undefined>({
    commit: async (executions) => {
      const insert = async (session: ClientSession): Promise<void> => {
        await insertExecutions(store, session, executions)
      }
      await transact(store, insert, { timeoutMs: TIMEOUT_MS })
      return executions.map((): undefined => undefined)
    },
    maxItems: 500,
    maxWeight: PORTION_BYTES,
    weigh: weightOf,
    gatherMs: 0,
  })

  // Grouped like the inserts, because many are withdrawn at once when Temporal becomes unavailable.
  const withdrawals = new GroupCommitter<string, boolean>({
    commit: async (ids) => {
      const withdraw = async (session: ClientSession): Promise<Set<string>> => {
        const filter = { _id: { $in: ids }, ...UNTOUCHED, accepted: { $exists: false } }
        const { deletedCount } = await store.executions.deleteMany(filter, { session })
        if (deletedCount > 0) await countSubmitted(store, session, -deletedCount)
        const options = { session, projection: { _id: 1 } }
        const found = await store.executions.find({ _id: { $in: ids } }, options).toArray()
        const left = new Set(found.map(({ _id }) => _id))
        await store.open.deleteMany({ _id: { $in: ids.filter((id) => !left.has(id)) } }, { session })
        return left
      }
      const left = await transact(store, withdraw, { timeoutMs: TIMEOUT_MS })
      return ids.map((id) => !left.has(id))
    },
    maxItems: 500,
    maxWeight: Infinity,
    weigh: () => 1,
    gatherMs: 5,
  })

  return {
    async insert(execution) {
      try {
        await inserts.add(execution)
        return execution
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
      }
      // An execution of the group exists already; single inserts find out which one.
      return insertOne(store, execution)
    },
    withdraw: (id) => withdrawals.add(id),
    async addTasks(batch, tasks) {
      let added: BatchDocument | undefined
      for (const portion of portions(tasks)) added = await addPortion(store, batch, portion)
      return added as BatchDocument
    },
  }
}

/** An execution that may still be withdrawn. */
const UNTOUCHED = { started_at: { $exists: false }, completed_at: null }

async function insertExecutions(
  store: Store,
  session: ClientSession,
  executions: readonly ExecutionDocument[],
): Promise<void> {
  await store.executions.insertMany(executions, { session })
  await store.open.insertMany(executions.map(openDocument), { session })
  await countSubmitted(store, session, executions.length)
}

function countSubmitted(store: Store, session: ClientSession, submitted: number): Promise<unknown> {
  const minute = { $inc: { created: submitted }, $set: {} }
  return count(store, session, COUNTER, { totals: { $inc: { submitted } }, minute })
}

async function insertOne(store: Store, execution: ExecutionDocument): Promise<ExecutionDocument> {
  return transact(store, async (session) => {
    // A request that finds the execution reports it as accepted, so the request that stored it may no longer withdraw
    // it. A started or ended execution is never withdrawn.
    const { _id } = execution
    const open = { _id, ...UNTOUCHED }
    const found = await store.executions.findOneAndUpdate(open, { $set: { accepted: true } }, { session })
    const before = found ?? (await store.executions.findOne({ _id }, { session }))
    if (before !== null) return before
    await insertExecutions(store, session, [execution])
    return execution
  })
}

/**
 * The batch's document is locked first and until the commit, so that portions of several clients get indexes without
 * gaps in the order in which they become visible.
 */
async function addPortion(store: Store, batch: NewBatch, tasks: ExecutionDocument[]): Promise<BatchDocument> {
  return transact(store, async (session) => {
    const current = await openBatch(store, batch, session)
    const ids = tasks.map((task) => task._id)
    const known = await store.executions.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray()
    const knownIds = new Set(known.map((task) => task._id))
    const fresh = tasks.filter((task) => !knownIds.has(task._id))
    if (fresh.length === 0) return current
    const shared = { batch_id: batch.id, batch_budget: current.budget === undefined ? undefined : true }
    const placed = fresh.map((task, index) => ({ ...task, ...shared, batch_index: current.task_count + index }))
    await insertExecutions(store, session, placed)
    // A further portion of the first submission leaves the status unchanged; tasks that are added later make the batch
    // run.
    const revived = current.status === 'submitted' && !batch.mustExist ? 'submitted' : 'running'
    const now = new Date()
    const again = current.completed_at === null ? {} : { revived_at: now }
    const update = {
      $inc: { task_count: fresh.length },
      $set: { status: revived, completed_at: null, added_at: now, ...again },
      $addToSet: { agents: { $each: agentsOf(fresh) } },
    } as const
    await store.batches.updateOne({ _id: batch.id }, update, { session })
    return { ...current, task_count: current.task_count + fresh.length, status: revived, completed_at: null }
  })
}

async function openBatch(store: Store, batch: NewBatch, session: ClientSession): Promise<BatchDocument> {
  const fresh = { agent_name: batch.agentName, status: 'submitted', task_count: 0, succeeded: 0, failed: 0 } as const
  const { submitted_by = null, weight, budget, task_budget, at: created_at } = batch
  const found = await store.batches.findOneAndUpdate(
    { _id: batch.id },
    {
      // A write that locks the document; the field has no other meaning.
      $inc: { portions: 1 },
      ...(batch.mustExist
        ? {}
        : { $setOnInsert: { ...fresh, submitted_by, weight, budget, task_budget, created_at, completed_at: null } }),
    },
    { session, upsert: !batch.mustExist, returnDocument: 'after' },
  )
  const current = takingBatch(found, batch.id)
  const isNew = current.portions === 1
  if (isNew && (await deletionsOf(store).findOne({ batch_id: batch.id }, { session })) !== null) {
    throw new TroupeError('conflict', `The earlier batch "${batch.id}" is still being deleted: try again later.`)
  }
  await keepBudget(store, current, batch, session)
  return current
}

/**
 * A batch that accepts more tasks.
 * @throws TroupeError not_found, or bad_request if it was canceled.
 */
export function takingBatch<Batch extends Pick<BatchDocument, 'status'>>(batch: Batch | null, id: string): Batch {
  if (batch === null) throw noBatch(id)
  if (batch.status !== 'canceled') return batch
  throw new TroupeError('bad_request', `Batch "${id}" was canceled: it takes no more tasks.`)
}

/** Stores the budget of a new batch; an existing batch keeps its budget or absence of one. */
async function keepBudget(
  store: Store,
  { _id, portions, budget: kept }: BatchDocument,
  { budget }: NewBatch,
  session: ClientSession,
): Promise<void> {
  if (budget === undefined) return
  if (portions === 1) await budgetsOf(store).insertOne(newBudget(batchBudgetId(_id), budget), { session })
  else if (canonicalJson(kept ?? null) !== canonicalJson(budget)) {
    throw new TroupeError('bad_request', `Batch "${_id}" exists: its budget cannot be changed. Leave \`budget\` out.`)
  }
}

function agentsOf(tasks: ExecutionDocument[]): string[] {
  return [...new Set(tasks.flatMap(({ agents }) => agents.map(({ name }) => name)))]
}

function* portions(tasks: Iterable<ExecutionDocument>): Generator<ExecutionDocument[]> {
  let portion: ExecutionDocument[] = []
  let bytes = 0
  for (const task of tasks) {
    const weight = weightOf(task)
    if (portion.length >= PORTION_TASKS || (portion.length > 0 && bytes + weight > PORTION_BYTES)) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(task)
    bytes += weight
  }
  if (portion.length > 0) yield portion
}

function weightOf({ inputs }: ExecutionDocument): number {
  return 500 + inlineLength(inputs)
}
