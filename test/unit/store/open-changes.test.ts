import { expect } from 'chai'
import type { LedgerEntry } from '../../../store/ledger/entry.ts'
import { openChanges } from '../../../store/ledger/open-changes.ts'

const AT = new Date('2026-01-02T03:04:05.678Z')
const completed = { status: 'completed', outputs: { json: '{}' }, error: null, latencyMs: 40, at: AT } as const
const canceled = { ...completed, status: 'canceled', outputs: null } as const

function entry(jobId: string, more: Partial<LedgerEntry>): LedgerEntry {
  return { jobId, batchId: 'b', path: 'p', events: [], ...more }
}

describe('openChanges', () => {
  it('marks tasks that have begun, and nothing that has ended in the same moment', () => {
    const entries = [
      entry('goes on', { startedAt: AT }),
      entry('quick', { startedAt: AT }),
      entry('quick', { finish: completed }),
      entry('failed', { finish: { ...completed, status: 'failed' } }),
      entry('prompt', { batchId: undefined, startedAt: AT }),
      entry('step', {}),
    ]
    expect(openChanges(entries)).to.deep.include({ started: ['goes on'], canceled: [], ended: ['quick', 'failed'] })
  })

  it('leaves what is canceled open until it has stopped', () => {
    expect(openChanges([entry('j', { finish: canceled })])).to.deep.include({ canceled: ['j'], ended: [] })
    const both = [entry('j', { finish: canceled }), entry('j', { stoppedAt: AT })]
    expect(openChanges(both)).to.deep.include({ started: [], canceled: [], ended: ['j'] })
  })

  it('says what an execution waits for at Temporal, until it goes on or ends', () => {
    const leaves = entry('j', { releases: true, waitsFor: 'openai' })
    const take = { from: 'a1', take: { n: 2, worker: 'w', lost: 0, records: 1 } }
    const returns = entry('j', { take: { ...take, resumes: true } })
    const waitingAfter = (...entries: LedgerEntry[]) => [...openChanges(entries).waiting]
    expect(waitingAfter(leaves)).to.deep.equal([['j', 'openai']])
    expect(waitingAfter(leaves, returns)).to.deep.equal([['j', undefined]])
    expect(waitingAfter(returns, leaves)).to.deep.equal([['j', 'openai']])
    expect(waitingAfter(entry('j', { take }))).to.deep.equal([])
    expect(waitingAfter(leaves, entry('j', { stoppedAt: AT }))).to.deep.equal([])
  })
})
