import { expect } from 'chai'
import { originOf, retryId } from '../../../dashboard/pages/batch/retries.ts'

describe('Batches that run failed tasks again', () => {
  it('say in their id of which, also those of the command line, and those of one that is a retry itself', () => {
    expect(originOf(retryId('reviews', 1_790_000_000_000))).to.equal('reviews')
    expect(originOf(retryId(retryId('a.b-c', 1), 2))).to.equal(retryId('a.b-c', 1))
    expect(originOf('reviews-retry-0a1b2c3d')).to.equal('reviews')
  })

  it('have ids that the service takes, however long the first one is', () => {
    const id = retryId('x'.repeat(128), 1_790_000_000_000)
    expect(id).to.match(/^[A-Za-z0-9._-]{128}$/)
  })

  it('are none where the id says nothing', () => {
    for (const id of ['reviews', 'retry-1', '.retry-1', 'reviews.retry-', '3f0c2a4e-0000-4000-8000-000000000000'])
      expect(originOf(id), id).to.equal(undefined)
  })
})
