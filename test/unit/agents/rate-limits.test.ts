import { expect } from 'chai'
import { readRateLimits, type RateLimits } from '../../../agents/models/rate-limits.ts'

describe('readRateLimits', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')

  for (const [what, headers, expected] of [
    ['nothing where no header tells', { 'content-type': 'x' }, undefined],
    [
      'OpenAI’s headers',
      {
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-limit-tokens': '150000',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-remaining-tokens': '149984',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      {
        requests: { limit: 60, remaining: 59, resetMs: 1_000 },
        tokens: { limit: 150_000, remaining: 149_984, resetMs: 360_000 },
      },
    ],
    [
      'Groq’s and other spellings of a time',
      { 'x-ratelimit-reset-requests': '2m59.56s', 'x-ratelimit-reset-tokens': '20ms' },
      { requests: { resetMs: 179_560 }, tokens: { resetMs: 20 } },
    ],
    [
      'Anthropic’s headers',
      {
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:30Z',
        'anthropic-ratelimit-tokens-remaining': '1000',
      },
      {
        requests: { limit: 50, remaining: 0, resetMs: 30_000 },
        tokens: { remaining: 1_000 },
      },
    ],
    ['seconds', { 'x-ratelimit-reset-requests': '1.5' }, { requests: { resetMs: 1_500 } }],
    ['no time that has passed', { 'x-ratelimit-reset-tokens': '2025-12-31T00:00:00Z' }, { tokens: { resetMs: 0 } }],
    ['nothing of nonsense', { 'x-ratelimit-limit-requests': 'many', 'x-ratelimit-reset-requests': 'soon' }, undefined],
  ] as [string, Record<string, string>, RateLimits | undefined][]) {
    it(`reads ${what}`, () => expect(readRateLimits(headers, now)).to.deep.equal(expected))
  }
})
