import { expect } from 'chai'
import { costView } from '../../../core/cost.ts'
import { spending } from '../../support/spending.ts'

describe('The cost view', () => {
  it('is nothing, and all of it, before the first call', () => {
    expect(costView({})).to.deep.equal({ usd: 0, complete: true, by_model: [] })
    expect(costView(undefined)).to.include({ usd: 0, complete: true })
  })

  it('adds up what is known, and says that it is not all', () => {
    const cost = costView({
      'p/dear': spending({ model: 'dear', nano_usd: 1_500_000, priced: 2, calls: 2 }),
      'p/odd': spending({ model: 'odd' }),
    })
    expect(cost).to.include({ usd: 0.0015, complete: false })
    expect(cost.by_model).to.deep.equal([
      {
        ...{ provider: 'p', model: 'dear', usd: 0.0015, complete: true, estimated: false },
        ...{ input: 1, cached: 0, cache_write: 0, output: 2, reasoning: 0 },
      },
      {
        ...{ provider: 'p', model: 'odd', usd: null, complete: false, estimated: false },
        ...{ input: 1, cached: 0, cache_write: 0, output: 2, reasoning: 0 },
      },
    ])
  })

  it('is unknown where no price is', () => {
    expect(costView({ 'p/m': spending() })).to.include({ usd: null, complete: false })
  })

  it('does not take what an earlier version used for free', () => {
    const before = { provider: 'p', model: 'm', prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, calls: 1 }
    expect(costView({ 'p/m': before })).to.include({ usd: null, complete: false })
  })

  it('adds up without a rounding of its own', () => {
    const models = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [
        `p/${n}`,
        spending({ model: String(n), nano_usd: 100_000_000, priced: 1 }),
      ]),
    )
    expect(costView(models).usd).to.equal(1)
  })
})
