import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Collection } from 'mongodb'
import type { Leg } from '../../activities/attempt/leg.ts'
import { BudgetExceeded } from '../../activities/records/budget-exceeded.ts'
import { Hold } from '../../activities/records/hold.ts'
import { RunBudgets } from '../../activities/records/run-budgets.ts'
import {
  batchBudgetId,
  budgetId,
  budgetsOf,
  newBudget,
  readBudgets,
  type BudgetDocument,
} from '../../store/spending/budgets.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import { buildExecution } from '../build/execution.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

const [INNER, OUTER] = ['0', '1']

describe('Tool calls at the edge of their budgets', () => {
  let store: Store
  before(async () => (store = await openOwnStore()))
  after(() => dropOwnStore(store))

  it('are not ended by one that was a moment too late for its own agent’s budget', async () => {
    const takes = Object.fromEntries(
      [INNER, OUTER].map((path) => [fieldName(path), { attempt: `of ${path}`, worker: 'w' }]),
    )
    const { _id: job } = buildExecution()
    await store.executions.insertOne(buildExecution({ _id: job, takes } as never))
    const whole = newBudget(budgetId(job), { toolCalls: 2 })
    const own = newBudget(budgetId(job, INNER), { toolCalls: 1 })
    await budgetsOf(store).insertMany([whole, own])
    const before = { begun: Promise.withResolvers<void>(), may: Promise.withResolvers<void>() }
    const after = { begun: Promise.withResolvers<void>(), may: Promise.withResolvers<void>() }
    const late = budgetsFor(job, INNER, [whole, own], async (isReserving) => {
      const gate = isReserving ? before : after
      gate.begun.resolve()
      await gate.may.promise
    })
    const quick = budgetsFor(job, INNER, [whole, own])
    const other = budgetsFor(job, OUTER, [whole])

    const lost = late.hold('0.late').catch((error: unknown) => error)
    await before.begun.promise
    expect(await quick.hold('0.quick')).to.be.instanceOf(Hold)
    before.may.resolve()
    // It gives back what it had got of the whole.
    await Promise.race([after.begun.promise, lost])
    expect(await other.hold('1.other').catch((error: unknown) => error), 'one of two calls was left').to.be.instanceOf(
      Hold,
    )
    after.may.resolve()
    expect(await lost).to.be.instanceOf(BudgetExceeded)
    const left = await budgetsOf(store)
      .find({ _id: { $in: [whole._id, own._id] } })
      .toArray()
    expect(left.map(({ left: { tool_calls } }) => tool_calls)).to.deep.equal([0, 0])
  })

  it('are counted in the budgets of their agents in the order in which these call each other', async () => {
    const [batch, early, late] = [
      batchBudgetId(randomUUID()),
      budgetId(`0${randomUUID()}`),
      budgetId(`f${randomUUID()}`),
    ]
    await budgetsOf(store).insertMany([batch, early, late].map((id) => newBudget(id, { toolCalls: 1 })))
    for (const ids of [
      [batch, early],
      [batch, late],
      [late, early],
    ]) {
      expect((await readBudgets(store, ids)).map(({ _id }) => _id)).to.deep.equal(ids)
    }
  })

  /** @param onUpdate - is waited for before each write to a budget, once for those that reserve and once for others. */
  function budgetsFor(
    job: string,
    path: string,
    states: BudgetDocument[],
    onUpdate?: (isReserving: boolean) => Promise<void>,
  ): RunBudgets {
    const updateOne: Collection['updateOne'] = async (filter, update, ...more) => {
      await onUpdate?.(!Array.isArray(update))
      return store.db.collection('budgets').updateOne(filter, update, ...more)
    }
    const collection = (name: string) =>
      new Proxy(store.db.collection(name), {
        get: (target, field) => (field === 'updateOne' ? updateOne : Reflect.get(target, field, target)),
      })
    const attempt = {
      id: `of ${path}`,
      run: { path },
      signal: new AbortController().signal,
      persist: (work: () => unknown) => work(),
      place: { mayRest: true, rest: (work: () => unknown) => work() },
    }
    const leg = { attempt, deps: { store: { ...store, db: { collection } } } } as unknown as Leg
    return new RunBudgets(leg, { job, path, agent: 'tools', last: true }, states)
  }
})
