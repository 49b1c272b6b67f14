import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { learnedRates } from '../../../agents/models/learned-rates.ts'
import { accountOf } from '../../../limits.ts'
import { ConfigError, loadConfig } from '../../../config.ts'

describe('LIMITS', () => {
  const read = (LIMITS: string) => loadConfig({ LIMITS, DATA_DIR: '/nowhere' }).LIMITS

  it('are JSON, or a file with it; without them nothing is limited', async () => {
    const limits = { openai: { rpm: 500, tpm: 200_000 }, 'anthropic/claude-sonnet-5': { concurrent: 4 } }
    expect(read(JSON.stringify(limits))).to.deep.equal(limits)
    expect(loadConfig({ DATA_DIR: '/nowhere' }).LIMITS).to.deep.equal({})
    const folder = await mkdtemp(join(tmpdir(), 'troupe-limits-'))
    const file = join(folder, 'limits.json')
    await writeFile(file, JSON.stringify(limits))
    expect(read(file)).to.deep.equal(limits)
    await rm(folder, { recursive: true })
  })

  for (const [text, sentence] of [
    ['{"openai": {"rpm": 0}}', 'LIMITS "openai" "rpm" must be at least 1, as in {"openai"'],
    ['{"openai": {"concurrent": 1.5}}', 'LIMITS "openai" "concurrent" must be a whole number, as in'],
    ['{"openai": {"rps": 3}}', 'LIMITS "openai" has only rpm, tpm and concurrent, as in'],
    ['{"openai": 5}', 'LIMITS "openai" must be an object, as in'],
    ['{"opnai": {}}', 'LIMITS "opnai" must be a provider (openai, anthropic,'],
    ['{"openai": ', 'LIMITS must be a JSON object such as'],
    ['/no/such/file', 'LIMITS must be a JSON object such as'],
  ] as const) {
    it(`stop the process with a sentence when they are wrong: ${text}`, () => {
      expect(() => read(text))
        .to.throw(ConfigError)
        .with.property('message')
        .that.contains(sentence)
    })
  }

  it('count a call for the closest account', () => {
    const limits = { openai: {}, 'openai/gpt-5': {} }
    expect(accountOf({ provider: 'openai', model: 'gpt-5' }, limits)).to.equal('openai/gpt-5')
    expect(accountOf({ provider: 'openai', model: 'gpt-5-mini' }, limits)).to.equal('openai')
    expect(accountOf({ provider: 'google', model: 'gemini-3' }, limits)).to.equal('google/gemini-3')
    expect(accountOf({ provider: 'constructor', model: 'x' }, limits)).to.equal('constructor/x')
  })
})

describe('Rates that headers tell', () => {
  for (const [name, limits, rates] of [
    ['a minute', { requests: { limit: 60, remaining: 59, resetMs: 1_000 } }, { rpm: 60 }],
    ['a second', { requests: { limit: 10, remaining: 4, resetMs: 600 } }, { rpm: 600 }],
    ['tokens', { tokens: { limit: 200_000, remaining: 199_000, resetMs: 300 } }, { tpm: 200_000 }],
    ['whole seconds', { requests: { limit: 50, remaining: 47, resetMs: 4_000 } }, { rpm: 50 }],
    ["a day's limit", { requests: { limit: 14_400, remaining: 14_370, resetMs: 179_560 } }, undefined],
    ['nothing used', { requests: { limit: 60, remaining: 60, resetMs: 0 } }, undefined],
    ['half of it', { requests: { limit: 60 } }, undefined],
    ['none', undefined, undefined],
  ] as const) {
    it(`are those of the period in which all would come back: ${name}`, () => {
      expect(learnedRates(limits)).to.deep.equal(rates)
    })
  }
})
