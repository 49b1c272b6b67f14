import { expect } from 'chai'
import { askAgainInMs, waitsInVain, type HoldUp } from '../../../../activities/limits/ask-again.ts'

const seconds = (holdUp: Partial<HoldUp>, random = 0): number =>
  askAgainInMs({ queueMs: 0, coolingMs: undefined, pushedBackMs: 0, isRecovering: false, ...holdUp }, random) / 1_000

describe('A call that has waited in its worker for long enough', () => {
  it('asks again behind those that wait with it, five minutes later at the most, and not all at once', () => {
    expect(seconds({})).to.equal(15)
    expect(seconds({ queueMs: 120_000 })).to.equal(120)
    expect(seconds({ queueMs: 3_600_000 })).to.equal(300)
    expect(seconds({ queueMs: 100_000 }, 0.5)).to.be.closeTo(110, 0.001)
  })

  it('asks again when a cool-down is over, and less often the longer the provider is away', () => {
    expect(seconds({ coolingMs: 40_000 })).to.equal(40)
    expect(seconds({ coolingMs: 600_000 })).to.equal(600)
    expect(seconds({ coolingMs: 1_000, pushedBackMs: 60_000 })).to.equal(30)
    expect(seconds({ coolingMs: 1_000, pushedBackMs: 600_000 })).to.equal(75)
  })

  it('need not wait at all in a long cool-down, where enough others do', () => {
    const inVain = (before: number, holdUp: Partial<HoldUp>, longestWaitMs?: number) =>
      waitsInVain(
        { queueMs: 0, coolingMs: 1_000, pushedBackMs: 0, isRecovering: false, ...holdUp },
        before,
        longestWaitMs,
      )
    expect(inVain(20, { pushedBackMs: 30_000 }, 20_000)).to.equal(true)
    expect(inVain(20, { coolingMs: 30_000 }, 20_000)).to.equal(true)
    expect(inVain(19, { coolingMs: 30_000 }, 20_000)).to.equal(false)
    expect(inVain(50, {}, 20_000)).to.equal(false)
    expect(inVain(50, { coolingMs: undefined, pushedBackMs: 30_000 }, 20_000)).to.equal(false)
    expect(inVain(50, { coolingMs: 30_000 })).to.equal(false)
  })

  it('does not believe the pace of a provider that has just come back', () => {
    expect(seconds({ queueMs: 300_000, isRecovering: true })).to.equal(75)
  })
})
