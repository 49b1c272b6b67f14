import { expect } from 'chai'
import { RunBudgets } from '../../activities/leg/run-budgets.ts'
import { Attempt } from '../../activities/leg/attempt.ts'
import { RunPlace } from '../../activities/leg/run-place.ts'
import { Stop } from '../../activities/leg/stop.ts'
import type { ActivityDependencies } from '../../activities/dependencies.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { budgetId, budgetsOf, claimWarning, newBudget, openBudget } from '../../store/budgets.ts'
import { connectStore, type Store } from '../../store/connect.ts'
import { buildExecution } from '../build/execution.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const CALL = { inputTokens: 10, maxOutputTokens: 10, nanoUsd: undefined }
const BUDGET = { tokens: 1_000 }

describe('A reservation', function () {
  this.timeout(60_000)
  let store: Store

  before(() => {
    const env = isolated(sharedStack())
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
  })
  after(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  async function attemptAt(heldBy: (me: string) => Partial<ExecutionDocument>) {
    const execution = buildExecution()
    const { _id: job } = execution
    const run = { job, path: '0', agent: 'somebody', last: true }
    const place = new RunPlace(undefined)
    const progress = { now: '', steps: [], earlier: 0, failures: 0 }
    const take = { from: null, take: { n: 1, worker: 'w', lost: 0 } }
    const controller = new AbortController()
    const options = { take, controller, progress, isFirst: true, onEnter: () => undefined, place }
    const deps = { store } as ActivityDependencies
    const attempt = new Attempt(deps, run, options)
    await store.executions.insertOne({ ...execution, ...heldBy(attempt.id) })
    await openBudget(store, budgetId(job), BUDGET)
    const leg = { deps, attempt, execution, runAgent: () => Promise.reject(new Error('nobody is called')) }
    const budgets = new RunBudgets(leg, run, [newBudget(budgetId(job), BUDGET)])
    const held = await budgets.hold('0.m00001', CALL).catch((error: unknown) => error)
    return { held, attempt, budget: await budgetsOf(store).findOne({ _id: budgetId(job) }) }
  }
  const heldBy = (attempt: string, worker: string | null = 'w') => ({
    takes: { 0: { n: 1, worker, lost: 0, attempt } },
  })

  it('is made by who holds the run', async () => {
    const { held, attempt, budget } = await attemptAt((me) => heldBy(me))
    expect(held).to.have.property('outputTokens', 10)
    expect(Object.values(budget?.reserved ?? {})).to.have.length(1)
    expect(attempt.signal.aborted).to.equal(false)
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

  it('that uses most of a budget is told of by one run, which may come again after a crash', async () => {
    const id = budgetId(buildExecution()._id)
    await openBudget(store, id, BUDGET)
    const claims = await Promise.all(['a', 'b', 'c'].map((run) => claimWarning(store, id, run)))
    expect(claims.filter(Boolean)).to.have.length(1)
    const again = await Promise.all(['a', 'b', 'c'].map((run) => claimWarning(store, id, run)))
    expect(again).to.deep.equal(claims)
  })
})
