import { expect } from 'chai'
import { readRetryAfter } from '../../../agents/models/provider-failure.ts'

describe('readRetryAfter', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')

  for (const [headers, expected] of [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][]) {
    it(`reads ${JSON.stringify(headers)}`, () => expect(readRetryAfter(headers, now)).to.equal(expected))
  }
})
