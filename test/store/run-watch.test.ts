import { expect } from 'chai'
import { createRunWatch, type RunWatch } from '../../activities/attempt/run-watch.ts'
import type { Stop } from '../../activities/attempt/stop.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { Take } from '../../core/transitions.ts'
import { createLog } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'
import { eventually } from '../support/service.ts'

const take = (attempt: string, worker: string): Take => ({ n: 1, attempt, worker, lost: 0 })

describe('The watch over the runs of a worker', function () {
  this.timeout(60_000)
  let store: Store
  let watch: RunWatch

  before(async () => {
    store = await openOwnStore()
    watch = createRunWatch({ store, log: createLog('test', 'silent'), me: 'me', isAlive: () => true })
  })
  after(() => dropOwnStore(store))

  /** Watches a run of this worker, taken over from `seen`. */
  async function watched(seen: Take): Promise<{ run: AgentRun; stops: Stop[]; release: () => void }> {
    const { _id: job } = buildExecution()
    await storeExecutions(store, [buildExecution({ _id: job, takes: { 0: seen } })])
    const run: AgentRun = { job, path: '0', agent: 'somebody', last: true }
    const stops: Stop[] = []
    return { run, stops, release: watch.own(run, seen, (reason) => stops.push(reason)) }
  }
  const takenBy = ({ job }: AgentRun, by: Take) => store.executions.updateOne({ _id: job }, { $set: { 'takes.0': by } })

  it('stops one that the worker takes back which had it before', async () => {
    const { run, stops, release } = await watched(take('a1', 'other'))
    await takenBy(run, take('a2', 'me'))
    await takenBy(run, take('a3', 'other'))
    await eventually(
      () => Promise.resolve(stops),
      (all) => all.length > 0,
    ).finally(release)
    expect(stops[0]?.kind).to.equal('overtaken')
  })

  it('lets one go on that still bears the name of whom it is taken from', async () => {
    const { run, stops, release } = await watched(take('a1', 'other'))
    const probe = await watched(take('a1', 'other'))
    await takenBy(probe.run, take('a2', 'third'))
    await eventually(
      () => Promise.resolve(probe.stops),
      (all) => all.length > 0,
    ).finally(probe.release)
    release()
    expect(stops, run.job).to.deep.equal([])
  })
})
