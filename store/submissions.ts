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

/** The writes of an API process that bring executions into being. */
export interface Submissions {
  /** Stores an execution; one with the same id that exists is left as it is, and given back. */
  insert: (execution: ExecutionDocument) => Promise<ExecutionDocument>
  /** Takes an execution back whose workflow could not be started; false when it runs already, or was found again, and stays. */
  withdraw: (id: string) => Promise<boolean>
  /**
   * Stores tasks of a batch, in portions; each portion and its place in the batch become visible in one moment. Tasks
   * that exist already (a second try) are left as they are.
   * @param tasks - at least one; taken when their portion's turn comes.
   * @returns the batch as it is after the last portion
   * @throws TroupeError bad_request when the batch was canceled; not_found when it must exist and does not
   */
  addTasks: (batch: NewBatch, tasks: Iterable<ExecutionDocument>) => Promise<BatchDocument>
}

export interface NewBatch extends Submitter {
  id: string
  agentName: string
  mustExist: boolean
  at: Date
  /** What all of its tasks may use together. */
  budget?: Budget | undefined
  /** What each of the tasks that it is made with may use. */
  task_budget?: Budget | undefined
}

/** Tasks of one transaction; with inputs of at most 100 kB each it stays well inside MongoDB's limits. */
const PORTION_TASKS = 1_000
const PORTION_BYTES = 8_388_608
/** A client whose writes meet others for this long is told to try again. */
const TIMEOUT_MS = 10_000
/** Processes count what they submit in different documents, so that they do not wait for each other. */
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

  // Grouped like the inserts: when Temporal goes away, many are taken back at once.
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
      // Somebody in the group was there before: each on its own finds out who.
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

/** An execution that may still be taken back. */
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
    // Who finds it answers that it is accepted: who stored it may not take it back any more. What has begun or ended nobody takes back.
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
 * The batch's row is taken first and held until the commit: portions of several clients get places without gaps, in the
 * order in which they become visible.
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
    // A further portion of the first submission leaves it as it is; tasks added later make it run.
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
      // A write, so that the row is held; the field has no other meaning.
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
 * A batch that takes more tasks.
 * @throws TroupeError not_found, or bad_request when it was canceled
 */
export function takingBatch<Batch extends Pick<BatchDocument, 'status'>>(batch: Batch | null, id: string): Batch {
  if (batch === null) throw noBatch(id)
  if (batch.status !== 'canceled') return batch
  throw new TroupeError('bad_request', `Batch "${id}" was canceled: it takes no more tasks.`)
}

/** A new batch gets its budget; one that exists keeps the one that it has, or that it has none. */
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
