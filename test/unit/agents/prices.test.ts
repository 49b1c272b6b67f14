import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPrices } from '../../../agents/prices/create-prices.ts'
import type { ChargedTokens } from '../../../agents/prices/price.ts'
import { servedTier } from '../../../agents/prices/service-tier.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const tokens = (more: Partial<ChargedTokens> = {}): ChargedTokens => {
  return { input: 0, cached: 0, cache_write: 0, output: 0, reasoning: 0, ...more }
}

describe('Prices', () => {
  let folder: string
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'troupe-prices-'))))
  after(() => rm(folder, { recursive: true, force: true }))

  const fromFile = async (prices: unknown) => {
    const file = join(folder, 'prices.json')
    await writeFile(file, typeof prices === 'string' ? prices : JSON.stringify(prices))
    return createPrices(file)
  }
  const charged = async (
    prices: ReturnType<typeof createPrices>,
    name: [string, string],
    used: Partial<ChargedTokens>,
  ) => (await prices.find(...name))?.charge(tokens(used), NOW).nanoUsd

  it('are the published ones where nothing else is said', async () => {
    const price = await createPrices(undefined).find('openai', 'gpt-5-mini')
    expect(price?.source).to.match(/^genai-prices \d/)
    const charge = price?.charge(tokens({ input: 1_000, cached: 1_000, output: 100, reasoning: 100 }), NOW)
    expect(charge?.rates).to.deep.equal({ input_mtok: 0.25, cache_read_mtok: 0.025, output_mtok: 2 })
    expect(charge?.nanoUsd).to.equal(250_000 + 25_000 + 400_000)
  })

  it('count what a cache had, and what was written to it, once', async () => {
    const used = { input: 10, cached: 1_000, cache_write: 200, output: 1 }
    const price = await createPrices(undefined).find('anthropic', 'claude-sonnet-5')
    expect(price?.charge(tokens(used), NOW).nanoUsd).to.equal(10 * 2_000 + 1_000 * 200 + 200 * 2_500 + 10_000)
  })

  it('count what a cache keeps for an hour at its own rate', async () => {
    const used = { cache_write: 1_000, cache_write_1h: 400 }
    const published = createPrices(undefined)
    expect(await charged(published, ['anthropic', 'claude-sonnet-4-5'], used)).to.equal(600 * 3_750 + 400 * 6_000)
    const prices = await fromFile({
      'anthropic/a': { input: 1, output: 1, cache_write: 2, cache_write_1h: 3 },
      'anthropic/b': { input: 1, output: 1, cache_write: 2 },
    })
    expect(await charged(prices, ['anthropic', 'a'], used)).to.equal(600 * 2_000 + 400 * 3_000)
    expect(await charged(prices, ['anthropic', 'b'], used)).to.equal(1_000 * 2_000)
  })

  it('that are published are those of the standard tier: another tier has the price that the file gives it', async () => {
    const published = createPrices(undefined)
    expect(await published.find('openai', 'gpt-5-mini')).not.to.have.property('isOfStandardTier')
    expect(await published.find('openai', 'gpt-5-mini', 'priority')).to.include({ isOfStandardTier: true })
    const prices = await fromFile({
      'openai/gpt-5-mini@priority': { input: 9, output: 9 },
      'openai/gpt-5-nano': { input: 7, output: 7 },
    })
    const inTier = async (model: string, tier?: string) => {
      const price = await prices.find('openai', model, tier)
      return [price?.charge(tokens({ input: 1_000 }), NOW).nanoUsd, price?.isOfStandardTier]
    }
    expect(await inTier('gpt-5-mini', 'priority')).to.deep.equal([9_000_000, undefined])
    expect(await inTier('gpt-5-mini', 'flex')).to.deep.equal([250_000, true])
    expect(await inTier('gpt-5-mini')).to.deep.equal([250_000, undefined])
    // The operator's word holds for every tier that it does not name.
    expect(await inTier('gpt-5-nano', 'flex')).to.deep.equal([7_000_000, undefined])
  })

  it('of a tier are asked for by what a provider says it served, else by the settings', () => {
    const asks = (provider: string, options: Record<string, unknown>, told?: string) =>
      servedTier(provider, { providerOptions: { [provider]: options } }, told)
    expect(asks('openai', { serviceTier: 'flex' })).to.equal('flex')
    expect(asks('openai', { serviceTier: 'priority' }, 'default')).to.equal(undefined)
    expect(asks('openai', {}, 'priority')).to.equal('priority')
    expect(asks('openai', { serviceTier: 'auto' })).to.equal(undefined)
    expect(asks('google', { serviceTier: 'flex' }, 'STANDARD')).to.equal(undefined)
    expect(asks('groq', {}, 'on_demand')).to.equal(undefined)
    expect(asks('anthropic', { serviceTier: 'standard_only' }, 'standard')).to.equal(undefined)
    expect(asks('anthropic', {}, 'priority')).to.equal('priority')
    // No tier, and dearer all the same.
    expect(asks('anthropic', { speed: 'fast' }, 'standard')).to.equal('fast')
    expect(asks('anthropic', { inferenceGeo: 'us' }, 'standard')).to.equal('us')
    expect(servedTier('openai', undefined, '__proto__'.repeat(1_000))).to.equal('other')
    expect(servedTier('openai', { providerOptions: { anthropic: { speed: 'fast' } } })).to.equal(undefined)
  })

  it('are not guessed', async () => {
    const prices = createPrices(undefined)
    for (const [provider, model] of [
      ['openai', 'gpt-99-imagined'],
      ['ollama', 'llama3'],
      ['lmstudio', 'gpt-5-mini'],
      ['openai-compatible', 'gpt-5-mini'],
    ] as const) {
      expect(await prices.find(provider, model), `${provider}/${model}`).to.equal(undefined)
    }
  })

  it('of scripts are nothing: they call nobody', async () => {
    expect(await charged(createPrices(undefined), ['scripted', 'scripted'], { input: 1_000_000 })).to.equal(0)
    const demo = await fromFile({ scripted: { input: 1, output: 1 } })
    expect(await charged(demo, ['scripted', 'scripted'], { input: 1_000_000 })).to.equal(1_000_000_000)
  })

  it('are those of PRICES_FILE first', async () => {
    const prices = await fromFile({
      'openai/gpt-5-mini': { input: 1, output: 3, cache_read: 0.5 },
      scripted: { input: 0, output: 0 },
      'ollama/*': { input: 0.1, output: 0.2 },
      'ollama/llama3': { input: 7, output: 7 },
    })
    expect(await charged(prices, ['openai', 'gpt-5-mini'], { input: 10, cached: 10, cache_write: 10 })).to.equal(25_000)
    expect(await charged(prices, ['openai', 'gpt-5-mini'], { output: 1, reasoning: 1 })).to.equal(6_000)
    expect(await charged(prices, ['scripted', 'scripted'], { input: 1_000_000 })).to.equal(0)
    expect(await charged(prices, ['ollama', 'mistral'], { input: 10, output: 10 })).to.equal(3_000)
    expect(await charged(prices, ['ollama', 'llama3'], { input: 1 })).to.equal(7_000)
    expect((await prices.find('openai', 'gpt-5-mini'))?.source).to.equal('PRICES_FILE')
    expect((await prices.find('openai', 'gpt-5'))?.source).to.match(/^genai-prices/)
  })

  it('are read as models.dev writes them, with a second rate for long prompts', async () => {
    const cost = { input: 1, output: 2, cache_read: 0.1, context_over_200k: { input: 2, output: 4 } }
    const prices = await fromFile({
      google: { id: 'google', name: 'Google', models: { new: { id: 'new', limit: {}, cost }, free: { id: 'free' } } },
    })
    expect(await charged(prices, ['google', 'new'], { input: 200_000 })).to.equal(200_000_000)
    expect(await charged(prices, ['google', 'new'], { input: 200_001, output: 1 })).to.equal(400_006_000)
    expect(await prices.find('google', 'free')).to.equal(undefined)
  })

  for (const [what, text] of [
    ['no JSON', '{'],
    ['a price without output', { 'openai/x': { input: 1 } }],
    ['a negative price', { 'openai/x': { input: -1, output: 1 } }],
    ['a price that no sum can hold', { 'openai/x': { input: 1, output: 1e300 } }],
    ['a price of text', { 'openai/x': { input: '1', output: 1 } }],
    ['a name that no model can have', { 'gpt-5-mini': { input: 1, output: 1 } }],
    ['a provider that is not known', { 'opnai/gpt-5-mini': { input: 1, output: 1 } }],
    ['a list', []],
  ] as const) {
    it(`refuse ${what} with a sentence`, async () => {
      const error = await fromFile(text).catch((reason: unknown) => reason)
      expect(error)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/^PRICES_FILE .+prices\.json cannot be used: ./)
    })
  }

  it('refuse a file that is not there', () => {
    expect(() => createPrices(join(folder, 'none.json'))).to.throw(/^PRICES_FILE .+ cannot be used: ENOENT/)
  })
})
