import type { Collection } from 'mongodb'
import { codeOf } from '../core/errors.ts'
import { limited, limitsOf, NOTHING, type Amounts, type Budget, type BudgetState } from '../core/budget.ts'
import { stepKey } from '../core/step-path.ts'
import type { Store } from './connect.ts'
import { fieldName, type BudgetStep, type Settlement } from './ledger-entry.ts'

/** A budget: that of an execution (`<job>|`), of an agent's run within one (`<job>|<path>`), or of a batch (`batch|<id>`). */
export interface BudgetDocument extends BudgetState {
  _id: string
  warn_at: number
  on_exceeded: 'fail' | 'answer'
  /** By the step that it is reserved for, as a field name: whoever makes the step again finds it. */
  reserved: Record<string, Reserved>
  /** Whether somebody was told that most of it is spent. */
  warned?: boolean
}

/** What a step has reserved. */
export interface Reserved extends Amounts {
  job: string
  /** Tokens that the answer may have. */
  output_tokens: number
}

const DUPLICATE_KEY = 11_000
const DEFAULT_WARN_AT = 0.8

/** The budgets of a database. */
export function budgetsOf({ db }: Pick<Store, 'db'>): Collection<BudgetDocument> {
  return db.collection<BudgetDocument>('budgets')
}

/** Id of the budget of a whole execution, or of a run within it. */
export function budgetId(job: string, path = ''): string {
  return stepKey(job, path)
}

/** Id of a batch's budget; no execution's id can be the same. */
export function batchBudgetId(batch: string): string {
  return `batch|${batch}`
}

/** A budget of which nothing is spent. */
export function newBudget(_id: string, budget: Budget): BudgetDocument {
  const limits = limitsOf(budget)
  const { warnAt: warn_at = DEFAULT_WARN_AT, onExceeded: on_exceeded = 'fail' } = budget
  return { _id, limits, left: { ...limits }, spent: { ...NOTHING }, reserved: {}, warn_at, on_exceeded }
}

/** Makes a budget unless it is there. */
export async function openBudget(store: Store, _id: string, budget: Budget): Promise<void> {
  try {
    await budgetsOf(store).insertOne(newBudget(_id, budget))
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_KEY) throw error
  }
}

/** Budgets as they stand; those that were deleted with their execution are left out. */
export function readBudgets(store: Store, ids: string[]): Promise<BudgetDocument[]> {
  return budgetsOf(store)
    .find({ _id: { $in: ids } })
    .toArray()
}

/** What a step has reserved of a budget, also in an attempt that was lost. */
export function reservedFor(state: BudgetDocument, step: BudgetStep): Reserved | undefined {
  return state.reserved[stepField(step)]
}

/**
 * Reserves a part of a budget for a step, in one conditional update: those who reserve at the same time never take more than
 * there is.
 * @param kept - what has to remain.
 * @returns false when somebody was quicker.
 */
export async function reserve(
  store: Store,
  { _id, limits }: BudgetDocument,
  step: BudgetStep,
  reserved: Reserved,
  kept: Partial<Amounts>,
): Promise<boolean> {
  const field = `reserved.${stepField(step)}`
  const enough = limited({ limits }).map((each): [string, object] => {
    const least = reserved[each] + (kept[each] ?? 0)
    return [`left.${each}`, each === 'ms' ? { $gt: least } : { $gte: least }]
  })
  const taken = Object.fromEntries(limited({ limits }).map((each) => [`left.${each}`, -reserved[each]]))
  const { matchedCount } = await budgetsOf(store).updateOne(
    { _id, [field]: { $exists: false }, ...Object.fromEntries(enough) },
    { $inc: taken, $set: { [field]: reserved } },
  )
  return matchedCount === 1
}

/** Gives back what a step has reserved and will not use. */
export async function release(
  store: Store,
  state: Pick<BudgetDocument, '_id' | 'limits'>,
  step: BudgetStep,
  reserved: Amounts,
) {
  const field = `reserved.${stepField(step)}`
  const given = Object.fromEntries(limited(state).map((each) => [`left.${each}`, reserved[each]]))
  await budgetsOf(store).updateOne(
    { _id: state._id, [field]: { $exists: true } },
    { $unset: { [field]: '' }, $inc: given },
  )
}

/** Executions that ended without their worker give back what they had reserved. @returns whether there were any */
export async function releaseEnded(store: Store, state: BudgetDocument): Promise<boolean> {
  const jobs = [...new Set(Object.values(state.reserved).map(({ job }) => job))]
  const open = await store.executions
    .find({ _id: { $in: jobs }, completed_at: null }, { projection: { _id: 1 } })
    .toArray()
  const running = new Set(open.map(({ _id }) => _id))
  const ended = Object.entries(state.reserved).filter(([, { job }]) => !running.has(job))
  for (const [field, reserved] of ended) {
    await release(store, state, { job: reserved.job, path: pathOf(field, reserved.job) }, reserved)
  }
  return ended.length > 0
}

/** Says that most of a budget is spent. @returns true the first time */
export async function markWarned(store: Store, _id: string): Promise<boolean> {
  const { modifiedCount } = await budgetsOf(store).updateOne(
    { _id, warned: { $exists: false } },
    { $set: { warned: true } },
  )
  return modifiedCount === 1
}

/** The update by which a settlement becomes part of the ledger's transaction. */
export function settle({ budget: _id, step, limited: dimensions, reserved, spent }: Settlement) {
  const left = dimensions.map((each) => [`left.${each}`, reserved[each] - spent[each]])
  const used = Object.entries(spent).map(([each, amount]) => [`spent.${each}`, amount])
  const update = {
    $inc: Object.fromEntries([...left, ...used]),
    $unset: { [`reserved.${stepField(step)}`]: '' as const },
  }
  return { updateOne: { filter: { _id }, update } }
}

function stepField({ job, path }: BudgetStep): string {
  return fieldName(stepKey(job, path))
}

function pathOf(field: string, job: string): string {
  return decodeURIComponent(field).slice(job.length + 1)
}
