import { expect } from 'chai'
import { endingOf } from '../../../core/ending.ts'

describe('endingOf', () => {
  const first = new Date(1_000)

  it('is over when it has really stopped', () => {
    expect(endingOf({ status: 'running', completed_at: null }).phase).to.equal('running')
    expect(endingOf({ status: 'submitted', completed_at: null }).phase).to.equal('running')
    expect(endingOf({ status: 'canceled', completed_at: null }).phase).to.equal('stopping')
    expect(endingOf({ status: 'failed', completed_at: first }).phase).to.equal('ended')
  })

  it('tells one end of a batch from the next, but knows one end of a canceled one', () => {
    const second = new Date(2_000)
    expect(endingOf({ status: 'completed', completed_at: first })).not.to.deep.equal(
      endingOf({ status: 'completed', completed_at: second }),
    )
    expect(endingOf({ status: 'canceled', completed_at: first })).to.deep.equal(
      endingOf({ status: 'canceled', completed_at: second }),
    )
  })
})
