import { durationText } from '../../../client/index.ts'
import { expect } from 'chai'
import { progressLine } from '../../../cli/progress-line.ts'
import { ProgressRate } from '../../../cli/progress-rate.ts'
import { formatTime, parseDurationMs } from '../../../cli/time.ts'

describe('Command line progress', () => {
  it('shows no rate before the first progress', () => {
    const rate = new ProgressRate()
    expect(rate.add(5, 100, 0)).to.deep.equal({ perSecond: null, remainingMs: null, stalledMs: null })
    expect(rate.add(5, 100, 1_000)).to.deep.equal({ perSecond: null, remainingMs: null, stalledMs: null })
  })

  it('shows the rate of the last minute and the remaining time', () => {
    const rate = new ProgressRate()
    rate.add(0, 1_000, 0)
    expect(rate.add(100, 1_000, 10_000)).to.deep.equal({ perSecond: 10, remainingMs: 90_000, stalledMs: null })
    // What was fast long ago does not count any more.
    for (let second = 20; second <= 120; second += 10) rate.add(100 + second / 10, 1_000, second * 1_000)
    const { perSecond } = rate.add(113, 1_000, 130_000)
    expect(perSecond).to.be.closeTo(0.1, 0.001)
  })

  it('shows a stall instead of a wrong remaining time', () => {
    const rate = new ProgressRate()
    rate.add(0, 100, 0)
    rate.add(50, 100, 1_000)
    expect(rate.add(50, 100, 41_000)).to.deep.equal({ perSecond: 0, remainingMs: null, stalledMs: 40_000 })
    expect(rate.add(100, 100, 42_000).stalledMs).to.equal(null)
  })

  it('is one line', () => {
    const line = progressLine(1_200, 3_000, { perSecond: 85.4, remainingMs: 21_078, stalledMs: null })
    expect(line).to.equal('██████████░░░░░░░░░░░░░░ 1,200 of 3,000 (40 %), 85/s, 21.1 s left')
    const stalled = progressLine(1, 3, { perSecond: 0, remainingMs: null, stalledMs: 40_000 })
    expect(stalled).to.include('1 of 3 (33 %), no progress for 40.0 s')
  })
})

describe('Command line times', () => {
  it('reads durations', () => {
    const read = ['90', '500ms', '30s', '10m', '1h30m', '2d'].map(parseDurationMs)
    expect(read).to.deep.equal([90_000, 500, 30_000, 600_000, 5_400_000, 172_800_000])
    for (const wrong of ['', 'soon', '5 m', '-1s', '1y'])
      expect(() => parseDurationMs(wrong), wrong).to.throw(/duration/)
  })

  it('writes durations and times for people', () => {
    expect([320, 4_240, 185_000, 7_800_000].map(durationText)).to.deep.equal([
      '320 ms',
      '4.24 s',
      '3 min 5 s',
      '2 h 10 min',
    ])
    expect(formatTime('2026-01-31T09:30:00.123Z', true)).to.equal('2026-01-31 09:30:00Z')
  })
})
