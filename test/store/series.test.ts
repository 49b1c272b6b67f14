import { expect } from 'chai'
import { createLog } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import type { EventDraft, LedgerEntry } from '../../store/ledger/entry.ts'
import { readAgentDay } from '../../store/registry/agent-hours.ts'
import { readMinutes } from '../../store/ledger/series.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'
import { spending } from '../support/spending.ts'

const HOUR_MS = 3_600_000

describe('The series of minutes', function () {
  this.timeout(60_000)
  let store: Store

  before(async () => {
    store = await openOwnStore()
  })
  after(() => dropOwnStore(store))

  const spent = (total_tokens: number): LedgerEntry => ({
    jobId: 'nobody',
    batchId: undefined,
    events: [],
    usage: spending({ prompt_tokens: total_tokens, completion_tokens: 0 }),
  })
  const tokensSince = async (from: Date): Promise<number> => {
    const minutes = await readMinutes(store, from)
    const usages = minutes.flatMap(({ usage = {} }) => Object.values(usage))
    return usages.reduce((sum, usage) => sum + usage.total_tokens, 0)
  }

  it('a minute that is over moves out of the counters with the next write, and none is counted twice', async () => {
    const options = { store, log: createLog('test', 'silent'), tracing: true, timeoutMs: 10_000 }
    const ledger = createLedger(options)
    await storeExecutions(store, [buildExecution({ _id: 'nobody' })])
    await ledger.append(spent(3))
    const hourAgo = Math.floor((Date.now() - HOUR_MS) / 60_000)
    const counter = await store.counters.findOne({ _id: 'ledger' })
    const [current] = Object.keys(counter?.minutes ?? {})
    await store.counters.updateOne({ _id: 'ledger' }, { $rename: { [`minutes.${current}`]: `minutes.${hourAgo}` } })
    expect(await tokensSince(new Date(Date.now() - 2 * HOUR_MS))).to.equal(3)
    expect(await tokensSince(new Date(Date.now() - HOUR_MS / 2))).to.equal(0)
    const reading = Array.from({ length: 20 }, () => tokensSince(new Date(Date.now() - 2 * HOUR_MS)))
    await ledger.append(spent(4))
    for (const sum of await Promise.all(reading)) expect(sum).to.be.oneOf([3, 7])
    expect(await tokensSince(new Date(Date.now() - 2 * HOUR_MS))).to.equal(7)
    expect(await tokensSince(new Date(Date.now() - HOUR_MS / 2))).to.equal(4)
    const after = await store.counters.findOne({ _id: 'ledger' })
    expect(Object.keys(after?.minutes ?? {})).to.not.include(String(hourAgo))
  })

  it('how runs of agents ended is kept by the hour, and told of a day', async () => {
    const options = { store, log: createLog('test', 'silent'), tracing: false, timeoutMs: 10_000 }
    const ledger = createLedger(options)
    const ends = (agent: string, ended: EventDraft['ended']): LedgerEntry => {
      const event = { type: 'task_complete', agent, parent: null, payload: '{}', at: new Date() } as const
      return { jobId: 'nobody', batchId: undefined, events: [{ ...event, ...(ended && { ended }) }] }
    }
    const toHoursAgo = async (hours: number): Promise<void> => {
      const counter = await store.counters.findOne({ _id: 'ledger' })
      const [current] = Object.keys(counter?.minutes ?? {})
      const then = Math.floor((Date.now() - hours * HOUR_MS) / 60_000)
      await store.counters.updateOne({ _id: 'ledger' }, { $rename: { [`minutes.${current}`]: `minutes.${then}` } })
    }
    const day = async () => Object.fromEntries((await readAgentDay(store, new Date())).agents)
    await ledger.append(ends('a.b', 'failed'))
    // What is older than a day stays out, in the counters as among the hours.
    await toHoursAgo(26)
    expect(await day()).to.deep.equal({})
    await ledger.append(ends('a.b', 'completed'))
    await ledger.append(ends('a.b', 'completed'))
    await toHoursAgo(23)
    expect(await day()).to.deep.equal({ 'a%2Eb': { completed: 2, failed: 0, canceled: 0 } })
    const reading = Array.from({ length: 20 }, day)
    await ledger.append(ends('a.b', 'failed'))
    for (const { 'a%2Eb': sums } of await Promise.all(reading)) expect(sums?.completed).to.equal(2)
    expect(await day()).to.deep.equal({ 'a%2Eb': { completed: 2, failed: 1, canceled: 0 } })
    const minutes = await readMinutes(store, new Date(0))
    expect(minutes.some((minute) => 'agents' in minute && minute.at.getTime() < Date.now() - HOUR_MS)).to.equal(false)
  })
})
