import { expect } from 'chai'
import { MAX_RETRY_AFTER_MS, readRetryAfter } from '../../../agents/models/retry-after.ts'

describe('readRetryAfter', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')

  for (const [headers, expected] of [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': '0.0001' }, 1],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after-ms': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '12, 30' }, undefined],
    [{ 'retry-after': '-2099' }, undefined],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': '86400' }, MAX_RETRY_AFTER_MS],
    [{ 'retry-after': 'Fri, 01 Jan 2027 00:00:00 GMT' }, MAX_RETRY_AFTER_MS],
    [{ 'retry-after-ms': '0', 'retry-after': '30' }, 30_000],
    [{ 'retry-after-ms': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][]) {
    it(`reads ${JSON.stringify(headers)}`, () => expect(readRetryAfter(headers, now)).to.equal(expected))
  }

  it('reads the delay in the body of Google’s errors', () => {
    const details = [{ '@type': 'x' }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
    expect(readRetryAfter({}, now, { error: { code: 429, details } })).to.equal(34_500)
    for (const body of [undefined, 'text', { error: 'text' }, { error: { details: [{ retryDelay: 'soon' }, null] } }]) {
      expect(readRetryAfter({}, now, body)).to.equal(undefined)
    }
  })
})
