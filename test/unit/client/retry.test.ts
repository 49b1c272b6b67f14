import { expect } from 'chai'
import { parseRetryAfterMs, retryDelayMs, sleep } from '../../../client/retry.ts'

describe('Client retry', () => {
  it('waits longer after each failure, up to ten seconds', () => {
    const delays = [0, 1, 2, 3, 10, 50].map((attempt) => retryDelayMs(attempt, null, () => 1))
    expect(delays).to.deep.equal([250, 500, 1_000, 2_000, 10_000, 10_000])
  })

  it('spreads clients over half of the delay', () => {
    expect(retryDelayMs(2, null, () => 0)).to.equal(500)
  })

  it('waits at least as long as the service asks, but not for ever', () => {
    expect(retryDelayMs(0, 3_000)).to.equal(3_000)
    expect(retryDelayMs(0, 86_400_000)).to.equal(120_000)
  })

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(parseRetryAfterMs('7', now)).to.equal(7_000)
    expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:09 GMT', now)).to.equal(9_000)
    expect(parseRetryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', now)).to.equal(0)
    expect(parseRetryAfterMs('soon', now)).to.equal(null)
    expect(parseRetryAfterMs(null, now)).to.equal(null)
  })

  it('stops waiting when its caller leaves', async () => {
    const reason = new Error('left')
    expect(await sleep(60_000, AbortSignal.abort(reason)).catch((error: unknown) => error)).to.equal(reason)
    const leaving = new AbortController()
    const waiting = sleep(60_000, leaving.signal).catch((error: unknown) => error)
    leaving.abort(reason)
    expect(await waiting).to.equal(reason)
  })
})
