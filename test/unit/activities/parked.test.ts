import { expect } from 'chai'
import { handedOver, parkedForCall, together } from '../../../activities/attempt/parked.ts'

describe('What a parked run hands to its workflow', () => {
  const call = (index: number) => parkedForCall({ job: 'job', path: `0>k.c${index}`, agent: 'far', last: false })
  const waiting = (count: number) => together(Array.from({ length: count }, (_, index) => call(index)))

  it('contains all calls that it waits for, within the size limit of Temporal', () => {
    const parked = waiting(300)
    expect(handedOver(parked)).to.equal(parked)
  })

  it('is limited to the first calls, up to the number of concurrent calls', () => {
    const parked = waiting(3_000)
    expect(handedOver(parked).calls.map(({ path }) => path)).to.deep.equal(
      parked.calls.slice(0, 300).map(({ path }) => path),
    )
    const underWay = parked.calls.slice(2_000, 2_250).map(({ path }) => path)
    const paths = handedOver(parked, underWay).calls.map(({ path }) => path)
    expect(paths).to.have.length(300)
    expect(paths).to.include.members(underWay)
    expect(paths.slice(250)).to.deep.equal(parked.calls.slice(0, 50).map(({ path }) => path))
  })

  it('contains every call in progress, so that the end of each is noticed', () => {
    const parked = waiting(1_000)
    const underWay = parked.calls.slice(0, 600).map(({ path }) => path)
    expect(handedOver(parked, underWay).calls.map(({ path }) => path)).to.deep.equal(underWay)
  })
})
