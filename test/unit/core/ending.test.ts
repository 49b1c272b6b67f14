import { expect } from 'chai'
import { endKeyOf } from '../../../core/ending.ts'

describe('endKeyOf', () => {
  const first = new Date(1_000)
  const second = new Date(2_000)

  it('has no key before it has really stopped', () => {
    for (const status of ['running', 'submitted', 'canceled']) {
      expect(endKeyOf({ status, completed_at: null })).to.equal(undefined)
    }
    expect(endKeyOf({ status: 'failed', completed_at: first })).to.be.a('string')
  })

  it('tells one end of a batch from the next, but knows one end of a canceled one', () => {
    const endsAt = (status: string, at: Date) => endKeyOf({ status, completed_at: at })
    expect(endsAt('completed', first)).not.to.equal(endsAt('completed', second))
    expect(endsAt('canceled', first)).to.equal(endsAt('canceled', second))
  })
})
