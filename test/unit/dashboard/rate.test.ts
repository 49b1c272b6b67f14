import { expect } from 'chai'
import { rateOf, withSnapshot, type Seen } from '../../../dashboard/pages/batch/rate.ts'

/** What was seen each second, from how many had ended at each. */
function seen(recorded: number[]): Seen | undefined {
  return recorded.reduce<Seen | undefined>((all, count, second) => {
    return withSnapshot(all, { atMs: second * 1_000, recorded: count })
  }, undefined)
}

describe('The pace of a batch', () => {
  it('is what ended between snapshots', () => {
    expect(rateOf(seen([0, 5, 10, 15]), 100)).to.deep.include({
      now: 5,
      minute: 5,
      remainingSeconds: { least: 17, most: 17 },
    })
    expect(rateOf(seen([0, 5]), 100).now, 'unknown at first').to.equal(undefined)
  })

  it('gives its remaining time from the pace of ten seconds to that of a minute', () => {
    // 1 a second for 50 s, then 4 a second for 10 s: 90 in a minute.
    const recorded = Array.from({ length: 61 }, (_, second) => Math.min(second, 50) + 4 * Math.max(0, second - 50))
    const { now, minute, remainingSeconds } = rateOf(seen(recorded), 450)
    expect({ now, minute, remainingSeconds }).to.deep.equal({
      now: 4,
      minute: 1.5,
      remainingSeconds: { least: 90, most: 240 },
    })
  })

  it('is that of the minute alone where nothing ended in the last ten seconds', () => {
    const recorded = Array.from({ length: 61 }, (_, second) => Math.min(second, 48))
    expect(rateOf(seen(recorded), 96)).to.deep.include({
      now: 0,
      minute: 0.8,
      remainingSeconds: { least: 60, most: 60 },
    })
  })

  it('says nothing of the remaining time of a batch that is stalled, has ended, or was just opened', () => {
    const stalled = Array.from({ length: 61 }, (_, second) => Math.min(second, 30))
    expect(rateOf(seen(stalled), 100)).to.deep.include({ remainingSeconds: undefined, stalledSeconds: 30 })
    // For as long as it lasts, not for as long as a pace is judged by.
    const long = Array.from({ length: 301 }, (_, second) => Math.min(second, 30))
    expect(rateOf(seen(long), 100)).to.deep.include({ now: 0, minute: 0, stalledSeconds: 270 })
    for (const recorded of [[], [5], [0, 50, 100]]) {
      expect(rateOf(seen(recorded), 100).remainingSeconds).to.equal(undefined)
    }
  })
})
