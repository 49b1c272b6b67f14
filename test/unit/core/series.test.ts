import { expect } from 'chai'
import { latencyBucket, latencyPercentile } from '../../../core/latency-histogram.ts'
import { momentOf } from '../../../core/moment.ts'

describe('Percentiles of a histogram', () => {
  it('are off by at most a twentieth', () => {
    for (const value of [0, 1, 7, 95, 1_234, 60_000, 86_400_000]) {
      const found = latencyPercentile(new Map([[latencyBucket(value), 3]]), 0.5) ?? NaN
      expect(Math.abs(found - value), String(value)).to.be.at.most(Math.max(1, value * 0.05))
    }
  })

  it('follow the order of the latencies, and nothing has none', () => {
    const counts = new Map([10, 20, 30, 1_000].map((value) => [latencyBucket(value), 1]))
    expect(latencyPercentile(counts, 0.5)).to.be.within(19, 21)
    expect(latencyPercentile(counts, 0.95)).to.be.within(950, 1_050)
    expect(latencyPercentile(new Map(), 0.5)).to.equal(null)
  })
})

describe('A moment of a filter', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  it('is a time, or a duration back from now', () => {
    expect(momentOf('1h30m', now)?.toISOString()).to.equal('2026-01-31T10:30:00.000Z')
    expect(momentOf('2026-01-30', now)?.toISOString()).to.equal('2026-01-30T00:00:00.000Z')
    expect(momentOf('2026-01-30T08:00', now)?.toISOString()).to.equal('2026-01-30T08:00:00.000Z')
    expect(momentOf('2026-01-30T08:00:00+02:00', now)?.toISOString()).to.equal('2026-01-30T06:00:00.000Z')
    expect(momentOf('2026-01-30T08:00:00 02:00', now)?.toISOString()).to.equal('2026-01-30T06:00:00.000Z')
    expect(momentOf('2026-01-30T08:00:00.123456789012Z', now)?.toISOString()).to.equal('2026-01-30T08:00:00.123Z')
    expect(momentOf('2026-01-30 08:00', now)?.toISOString()).to.equal('2026-01-30T08:00:00.000Z')
    expect(momentOf('9999999999d', now)?.getTime()).to.equal(0)
  })

  it('is nothing else', () => {
    for (const text of ['', 'yesterday', '1', '-1h', '2026-13-01', '2026-02-30', '2026-02-30T08:00:00Z', '1h '])
      expect(momentOf(text, now), text).to.equal(undefined)
  })
})
