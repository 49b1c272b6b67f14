import type { Collection, Document } from 'mongodb'
import {
  DIMENSIONS,
  limited,
  limitsOf,
  NOTHING,
  type Amounts,
  type Budget,
  type BudgetState,
  type Dimension,
} from '../../core/budget.ts'
import { stepKey } from '../../core/step-path.ts'
import type { Writer } from '../../core/transitions.ts'
import type { Store } from '../mongodb/connect.ts'
import type { ExecutionDocument } from '../documents.ts'
import { fieldName } from '../mongodb/field-name.ts'
import { idRange } from '../mongodb/id-range.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'

/** An attempt's reservation for a step. */
export interface ReservationName {
  job: string
  /** Path of the step. */
  path: string
  /** The holder of the reservation; it is valid while the attempt holds its run. */
  writer: Writer
}

/** The usage of a step in a budget; it replaces the step's reservation. */
export interface Settlement {
  /** Id of the budget. */
  budget: string
  reservation: ReservationName
  limited: Dimension[]
  spent: Amounts
}

/** The execution whose reservations end, in its own budgets and in its batch's budget. */
export interface BudgetRest {
  job: string
  /** The batch from whose budget the execution draws. */
  batch?: string
}

/** A budget of an execution (`<job>|`), of an agent's run (`<job>|<path>`), or of a batch (`batch|<id>`). */
export interface BudgetDocument extends BudgetState {
  _id: string
  warn_at: number
  on_exceeded: 'fail' | 'answer'
  /**
   * Reservations by step and attempt, as a field name. A reservation is orphaned if its attempt no longer holds its
   * run.
   */
  reserved: Record<string, Reserved>
  /** Key of the run that reports that most of the budget is spent. */
  warned?: string
}

/** A reservation of an attempt for a step. */
export interface Reserved extends Amounts {
  job: string
  /** Path of the run that the attempt holds. */
  run: string
  attempt: string
}

const DEFAULT_WARN_AT = 0.8

/** The budgets of a database. */
export function budgetsOf({ db }: Pick<Store, 'db'>): Collection<BudgetDocument> {
  return db.collection<BudgetDocument>('budgets')
}

/** Id of the budget of an execution, or of a run within it. */
export function budgetId(job: string, path = ''): string {
  return stepKey(job, path)
}

/** Id of a batch's budget; it differs from every execution's id. */
export function batchBudgetId(batch: string): string {
  return `batch|${batch}`
}

/** The owner of a budget, for events. */
export function budgetScope({ _id }: Pick<BudgetDocument, '_id'>): 'batch' | 'execution' | 'agent' {
  if (_id.startsWith(batchBudgetId(''))) return 'batch'
  return _id.endsWith('|') ? 'execution' : 'agent'
}

/** A budget without usage. */
export function newBudget(_id: string, budget: Budget): BudgetDocument {
  const limits = limitsOf(budget)
  const { warnAt: warn_at = DEFAULT_WARN_AT, onExceeded: on_exceeded = 'fail' } = budget
  return { _id, limits, left: { ...limits }, spent: { ...NOTHING }, reserved: {}, warn_at, on_exceeded }
}

/** Creates a budget unless it exists. */
export async function openBudget(store: Store, _id: string, budget: Budget): Promise<void> {
  try {
    await budgetsOf(store).insertOne(newBudget(_id, budget))
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
}

/** Current budgets in the order of the ids. Budgets that were deleted with their execution are left out. */
export async function readBudgets(store: Store, ids: string[]): Promise<BudgetDocument[]> {
  const found = await budgetsOf(store)
    .find({ _id: { $in: ids } })
    .toArray()
  return found.sort((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id))
}

/**
 * Reserves a part of a budget, in one conditional update: those who reserve at the same time never take more than there is.
 * @param kept - what has to remain.
 * @returns false when somebody was quicker.
 */
export async function reserve(
  store: Store,
  { _id, limits }: Pick<BudgetDocument, '_id' | 'limits'>,
  name: ReservationName,
  amounts: Amounts,
  kept: Partial<Amounts>,
): Promise<boolean> {
  const field = `reserved.${fieldOf(name)}`
  const enough = limited({ limits }).map((each) => [`left.${each}`, { $gte: amounts[each] + (kept[each] ?? 0) }])
  const taken = Object.fromEntries(limited({ limits }).map((each) => [`left.${each}`, -amounts[each]]))
  const { job, writer } = name
  const reserved: Reserved = { ...amounts, job, run: writer.path, attempt: writer.attempt }
  const { matchedCount } = await budgetsOf(store).updateOne(
    { _id, [field]: { $exists: false }, ...Object.fromEntries(enough) },
    { $inc: taken, $set: { [field]: reserved } },
  )
  return matchedCount === 1
}

/** Reserves more time for a call that is being made. @returns false when it is not left */
export async function reserveTime(
  store: Store,
  _id: string,
  name: ReservationName,
  { ms, keptMs }: { ms: number; keptMs: number },
): Promise<boolean> {
  const field = `reserved.${fieldOf(name)}`
  const { matchedCount } = await budgetsOf(store).updateOne(
    { _id, [field]: { $exists: true }, 'left.ms': { $gte: ms + keptMs } },
    { $inc: { 'left.ms': -ms, [`${field}.ms`]: ms } },
  )
  return matchedCount === 1
}

/** Whether a previously read budget contains a reservation for a step of an attempt. */
export function isReserved({ reserved }: BudgetDocument, name: ReservationName): boolean {
  return fieldOf(name) in reserved
}

/** Releases the reservation of a step that is not made; does nothing if there is none. */
export async function release(
  store: Store,
  budget: Pick<BudgetDocument, '_id' | 'limits'>,
  name: ReservationName,
): Promise<void> {
  await end(store, budget, fieldOf(name))
}

/** Releases the reservations of a record that was not written; does nothing if they were released before. */
export async function releaseSettled(store: Store, settlements: Settlement[]): Promise<void> {
  const ends = settlements.map((settlement) => settle({ ...settlement, spent: {} }))
  if (ends.length > 0) await budgetsOf(store).bulkWrite(ends, { ordered: false })
}

/**
 * Releases orphaned reservations: a reservation is valid only while its attempt holds its run. Called when a run is
 * taken over, and when a budget lacks an amount.
 */
export async function releaseLost(store: Store, budgets: BudgetDocument[]): Promise<void> {
  const held = budgets.flatMap((budget) =>
    Object.entries(budget.reserved).map(([field, reserved]) => ({ budget, field, reserved })),
  )
  if (held.length === 0) return
  const jobs = [...new Set(held.map(({ reserved }) => reserved.job))]
  const running = { _id: { $in: jobs }, completed_at: null }
  const found = await store.executions.find(running, { projection: { takes: 1 } }).toArray()
  const takes = new Map(found.map((execution) => [execution._id, execution.takes]))
  const lost = held.filter(({ reserved: { job, run, attempt } }) => {
    const take = takes.get(job)?.[fieldName(run)]
    return take?.attempt !== attempt || take.worker === null
  })
  await Promise.all(lost.map(({ budget, field }) => end(store, budget, field)))
}

/** Whether the reserving attempt holds its run. The end or takeover of the run then finds the reservation. */
export async function isOfHolder(store: Store, { job, writer }: ReservationName): Promise<boolean> {
  const take = `takes.${fieldName(writer.path)}`
  const held = { [`${take}.attempt`]: writer.attempt, [`${take}.worker`]: { $ne: null } }
  const found = await store.executions.findOne({ _id: job, completed_at: null, ...held }, { projection: { _id: 1 } })
  return found !== null
}

/**
 * Settles who says that most of a budget is spent: the first run to ask, also when it asks again.
 * @param by - key of the run.
 */
export async function claimWarning(store: Store, _id: string, by: string): Promise<boolean> {
  const unclaimed = { $or: [{ warned: { $exists: false } }, { warned: by }] }
  const { matchedCount } = await budgetsOf(store).updateOne({ _id, ...unclaimed }, { $set: { warned: by } })
  return matchedCount === 1
}

/** The update that adds a settlement to the ledger's transaction. */
export function settle({
  budget,
  reservation,
  limited: dimensions,
  spent,
}: Omit<Settlement, 'spent'> & { spent: Partial<Amounts> }) {
  return { updateOne: { filter: { _id: budget }, update: ending(fieldOf(reservation), dimensions, spent) } }
}

/** The execution whose reservations end; undefined if it is not known to draw on a budget. */
export function restOf({
  _id: job,
  batch_id,
  budget,
  batch_budget,
  budgeted,
}: Pick<ExecutionDocument, '_id' | 'batch_id' | 'budget' | 'batch_budget' | 'budgeted'>): BudgetRest | undefined {
  if (budget === undefined && batch_budget !== true && budgeted !== true) return undefined
  return { job, ...(batch_budget === true && batch_id !== undefined ? { batch: batch_id } : {}) }
}

/** The update that releases all remaining reservations of executions in the transaction that ends them. */
export function giveBack(rests: BudgetRest[]) {
  const jobs = rests.map(({ job }) => job)
  const batches = new Set(rests.flatMap(({ batch }) => (batch === undefined ? [] : [batchBudgetId(batch)])))
  const holding = [...jobs.map((job) => ({ _id: idRange(`${job}|`) })), { _id: { $in: [...batches] } }]
  const isTheirs = { $in: ['$$each.v.job', jobs] }
  const reserved = (cond: Document) => ({ $filter: { input: { $objectToArray: '$reserved' }, as: 'each', cond } })
  const left = DIMENSIONS.map((each) => {
    const back = { $add: [`$left.${each}`, { $sum: `$rest.v.${each}` }] }
    return [`left.${each}`, { $cond: [{ $eq: [{ $type: `$left.${each}` }, 'missing'] }, '$$REMOVE', back] }]
  })
  const update = [
    { $set: { rest: reserved(isTheirs), reserved: { $arrayToObject: reserved({ $not: isTheirs }) } } },
    { $set: Object.fromEntries(left) as Document },
    { $unset: 'rest' },
  ]
  return { updateMany: { filter: { $or: holding, reserved: { $ne: {} } }, update } }
}

async function end(store: Store, budget: Pick<BudgetDocument, '_id' | 'limits'>, name: string): Promise<void> {
  await budgetsOf(store).updateOne({ _id: budget._id }, ending(name, limited(budget)))
}

/** Returns the unspent rest of a reservation, whether the reservation still exists or was released before. */
function ending(name: string, dimensions: Dimension[], spent: Partial<Amounts> = {}): Document[] {
  const field = `reserved.${name}`
  const left = dimensions.map((each) => {
    const back = { $add: [`$left.${each}`, { $ifNull: [`$${field}.${each}`, 0] }] }
    return [`left.${each}`, { $subtract: [back, spent[each] ?? 0] }]
  })
  const used = Object.entries(spent).map(([each, amount]) => [`spent.${each}`, { $add: [`$spent.${each}`, amount] }])
  return [{ $set: Object.fromEntries([...left, ...used]) }, { $unset: field }]
}

function fieldOf({ job, path, writer }: ReservationName): string {
  return fieldName(`${stepKey(job, path)}|${writer.attempt}`)
}
