import { expect } from 'chai'
import { turnOf } from '../../../../api/reads/page-of-list.ts'

const FAR = 1_000_000
const page = (offset: number | undefined) => ({ limit: 50, offset })

describe('Reads of pages with a large offset', () => {
  it('run two at a time and reject requests above the queue limit, while other pages are read at once', async () => {
    const { promise: end, resolve: endAll } = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const read = async (): Promise<string> => {
      running += 1
      most = Math.max(most, running)
      await end
      running -= 1
      return 'read'
    }
    const turns = Array.from({ length: 20 }, () => turnOf(page(FAR))(read))
    const settled = Promise.allSettled(turns)
    for (const offset of [undefined, 0, 10_000]) {
      expect(await turnOf(page(offset))(async () => 'at once')).to.equal('at once')
    }
    endAll()
    const ends = await settled
    expect(most).to.equal(2)
    expect(ends.filter(({ status }) => status === 'fulfilled')).to.have.length.within(8, 10)
    for (const refused of ends.filter((each) => each.status === 'rejected')) {
      expect(refused.reason).to.have.property('code', 'unavailable')
      expect(refused.reason)
        .to.have.property('message')
        .that.matches(/cursor/)
    }
  })

  it('continue with the next request when a read fails', async () => {
    const failing = turnOf(page(FAR))(() => Promise.reject(new Error('away')))
    expect(await failing.catch((error: unknown) => error)).to.have.property('message', 'away')
    expect(await turnOf(page(FAR))(async () => 'read')).to.equal('read')
  })
})
