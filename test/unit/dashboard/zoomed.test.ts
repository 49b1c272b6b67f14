import { expect } from 'chai'
import { zoomed } from '../../../dashboard/waterfall/zoomed.ts'

describe('The time that a timeline shows', () => {
  it('gets less and more around a place that stays where it is', () => {
    const less = zoomed({ from: 0, to: 100 }, { length: 100, at: 25, factor: 0.5 })
    expect(less).to.deep.equal({ from: 12.5, to: 62.5 })
    expect(zoomed(less as never, { length: 100, at: 25, factor: 1.6 })).to.deep.equal({ from: 5, to: 85 })
  })

  it('stays within the axis, is never nothing, and is all where it would be more', () => {
    expect(zoomed({ from: 0, to: 20 }, { length: 100, at: 18, factor: 2 })).to.deep.equal({ from: 0, to: 40 })
    expect(zoomed({ from: 80, to: 100 }, { length: 100, at: 81, factor: 2 })).to.deep.equal({ from: 60, to: 100 })
    expect(zoomed({ from: 10, to: 11 }, { length: 100, at: 10, factor: 0.01 })).to.deep.equal({ from: 10, to: 11 })
    expect(zoomed({ from: 40, to: 60 }, { length: 100, at: 50, factor: 5 })).to.equal(undefined)
  })
})
