import { expect } from 'chai'
import type { LedgerEntry } from '../../../store/ledger-entry.ts'
import { openChanges } from '../../../store/open.ts'

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
    expect(openChanges(entries)).to.deep.equal({ started: ['goes on'], canceled: [], ended: ['quick', 'failed'] })
  })

  it('leaves what is canceled open until it has stopped', () => {
    expect(openChanges([entry('j', { finish: canceled })])).to.deep.include({ canceled: ['j'], ended: [] })
    const both = [entry('j', { finish: canceled }), entry('j', { stoppedAt: AT })]
    expect(openChanges(both)).to.deep.equal({ started: [], canceled: [], ended: ['j'] })
  })
})
