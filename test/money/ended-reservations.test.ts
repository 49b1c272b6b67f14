import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { RunBudgets } from '../../activities/records/run-budgets.ts'
import { Attempt } from '../../activities/attempt/attempt.ts'
import { Hold } from '../../activities/records/hold.ts'
import { RunPlace } from '../../activities/attempt/run-place.ts'
import { Stop } from '../../activities/attempt/stop.ts'
import type { ActivityDependencies } from '../../activities/dependencies.ts'
import { failOutside, recordStop } from '../../activities/record-outcome.ts'
import { NOTHING } from '../../core/budget.ts'
import { createLog } from '../../log.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import {
  batchBudgetId,
  budgetId,
  budgetsOf,
  claimWarning,
  newBudget,
  openBudget,
  reserve,
} from '../../store/spending/budgets.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { createLedger, type Ledger } from '../../store/ledger/ledger.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startProxy } from '../support/proxy.ts'
import { sharedStack } from '../support/stack.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

const CALL = { inputTokens: 10, maxOutputTokens: 10, nanoUsd: undefined }
const BUDGET = { tokens: 1_000 }
const TEN_TOKENS = { ...NOTHING, tokens: 10 }
const LONGER_THAN_THE_DRIVER_TRIES_MS = 12_000
const silent = createLog('test', 'silent')
const KILLED = new Error('The process was killed.')

describe('A reservation', function () {
  this.timeout(60_000)
  let store: Store

  before(async () => {
    store = await openOwnStore()
  })
  after(() => dropOwnStore(store))

  async function attemptAt(heldBy: (me: string) => Partial<ExecutionDocument>, used = store) {
    const execution = buildExecution()
    const { _id: job } = execution
    const run = { job, path: '0', agent: 'somebody', last: true }
    const place = new RunPlace(undefined)
    const progress = { now: '', steps: [], earlier: 0, failures: 0 }
    const take = { from: null, take: { n: 1, worker: 'w', lost: 0 } }
    const controller = new AbortController()
    const options = {
      take,
      controller,
      progress,
      mayEnterUnseen: () => true,
      isFresh: true,
      onEnter: () => undefined,
      place,
    }
    const deps = { store: used, ledger: ownLedger(), log: silent } as ActivityDependencies
    const attempt = new Attempt(deps, run, options)
    await storeExecutions(store, [{ ...execution, ...heldBy(attempt.id) }])
    await openBudget(store, budgetId(job), BUDGET)
    const leg = { deps, attempt, execution, runAgent: () => Promise.reject(new Error('nobody is called')) }
    const budgets = new RunBudgets(leg, run, [newBudget(budgetId(job), BUDGET)])
    const held = await budgets.hold('0.m00001', CALL).catch((error: unknown) => error)
    return { held, attempt, budget: await budgetsOf(store).findOne({ _id: budgetId(job) }) }
  }
  const ownLedger = (): Ledger => createLedger({ store, log: silent, tracing: true, timeoutMs: 10_000 })
  /** A ledger whose process is killed after each commit, before anybody hears of it. */
  function diesAfterCommit(): Ledger {
    const ledger = ownLedger()
    return { ...ledger, append: (entry) => ledger.append(entry).then(() => Promise.reject(KILLED)) }
  }
  const heldBy = (attempt: string, worker: string | null = 'w') => ({
    takes: { 0: { n: 1, worker, lost: 0, attempt } },
  })

  it('can be made only by the holder of the run', async () => {
    const { held, attempt, budget } = await attemptAt((me) => heldBy(me))
    expect(held).to.have.property('outputTokens', 10)
    expect(Object.values(budget?.reserved ?? {})).to.have.length(1)
    expect(attempt.signal.aborted).to.equal(false)
  })

  it('that is not needed is released when MongoDB is back', async () => {
    const { MONGODB_URI = '' } = sharedStack()
    const wire = await startProxy(Number(new URL(MONGODB_URI).port))
    const uri = `mongodb://127.0.0.1:${wire.port}/?directConnection=true`
    const wired = connectStore({ uri, database: store.db.databaseName, appName: 'test' })
    try {
      const { held, budget } = await attemptAt((me) => heldBy(me), wired)
      expect(Object.values(budget?.reserved ?? {})).to.have.length(1)
      wire.cut()
      const dropped = (held as Hold).drop()
      await sleep(LONGER_THAN_THE_DRIVER_TRIES_MS)
      wire.mend()
      await dropped
      const left = await budgetsOf(store).findOne({ _id: budget?._id ?? '' })
      expect(left).to.deep.include({ reserved: {}, left: BUDGET })
    } finally {
      await wired.close()
      await wire.close()
    }
  })

  const LATE = {
    'whose run has ended': (me: string) => ({ ...heldBy(me), status: 'canceled' as const, completed_at: new Date() }),
    'whose run another one has taken': () => heldBy('another'),
    'that has let go': (me: string) => heldBy(me, null),
  }
  for (const [who, state] of Object.entries(LATE)) {
    it(`by an attempt ${who} is given back at once, and the attempt stops`, async () => {
      const { held, attempt, budget } = await attemptAt(state)
      expect(held).to.be.instanceOf(Stop).with.property('kind', 'overtaken')
      expect(attempt.signal.aborted).to.equal(true)
      expect(budget).to.deep.include({ reserved: {}, left: BUDGET })
    })
  }

  for (const how of ['is stopped', 'fails outside'] as const) {
    it(`is given back in the same moment as its execution ${how}, and those of others stay`, async () => {
      const batch = randomUUID()
      const shared = batchBudgetId(batch)
      const of = { batch_id: batch, budget: BUDGET, batch_budget: true }
      const status = how === 'is stopped' ? ('canceled' as const) : ('running' as const)
      const [ending, other] = [buildExecution({ ...of, status }), buildExecution(of)]
      await storeExecutions(store, [ending, other])
      for (const id of [shared, budgetId(ending._id), budgetId(other._id)]) await openBudget(store, id, BUDGET)
      for (const { _id: job } of [ending, other]) {
        const name = { job, path: '0.m00001', writer: { path: '0', attempt: 'a' } }
        for (const id of [shared, budgetId(job)]) await reserve(store, newBudget(id, BUDGET), name, TEN_TOKENS, {})
      }
      const deps = { store, ledger: diesAfterCommit() } as unknown as ActivityDependencies
      const end =
        how === 'is stopped'
          ? recordStop(deps, ending)
          : failOutside(deps, ending, { code: 'timeout', message: 'Too late.' })
      expect(await end.catch((error: unknown) => error)).to.equal(KILLED)
      expect((await store.executions.findOne({ _id: ending._id }))?.completed_at).to.be.instanceOf(Date)
      const find = (_id: string) => budgetsOf(store).findOne({ _id })
      expect(await find(budgetId(ending._id))).to.deep.equal(newBudget(budgetId(ending._id), BUDGET))
      expect((await find(budgetId(other._id)))?.left).to.deep.equal({ tokens: 990 })
      const { reserved, left, spent } = (await find(shared)) ?? newBudget('', {})
      expect(Object.values(reserved).map(({ job }) => job)).to.deep.equal([other._id])
      expect(left).to.deep.equal({ tokens: 990 })
      expect(spent).to.deep.equal(NOTHING)
    })
  }

  it('of a rejected late record is released by its writer', async () => {
    const { held, attempt, budget } = await attemptAt((me) => heldBy(me))
    if (!(held instanceof Hold)) throw new Error('Nothing was reserved.')
    const settlements = held.settle({ tokens: 7 })
    await store.executions.updateOne(
      { _id: attempt.run.job },
      { $set: { status: 'completed', completed_at: new Date() } },
    )
    const late = await attempt.append({ path: '0.m00001', events: [], settlements }).catch((error: unknown) => error)
    expect(late).to.be.instanceOf(Stop)
    expect(await budgetsOf(store).findOne({ _id: budget?._id ?? '' })).to.deep.include({ reserved: {}, left: BUDGET })
  })

  it('that uses most of a budget causes a warning by one run, even after a crash', async () => {
    const id = budgetId(buildExecution()._id)
    await openBudget(store, id, BUDGET)
    const claims = await Promise.all(['a', 'b', 'c'].map((run) => claimWarning(store, id, run)))
    expect(claims.filter(Boolean)).to.have.length(1)
    const again = await Promise.all(['a', 'b', 'c'].map((run) => claimWarning(store, id, run)))
    expect(again).to.deep.equal(claims)
  })
})
