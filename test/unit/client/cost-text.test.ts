import { expect } from 'chai'
import { budgetParts, budgetText, costText } from '../../../client/index.ts'

describe('Costs and budgets in words', () => {
  it('say what is known, and that something is not', () => {
    const texts = [
      costText({ usd: 0, complete: true }),
      costText({ usd: 0.0042, complete: true }),
      costText({ usd: 1_234.5, complete: true }),
      costText({ usd: 1.2, complete: false }),
      costText({ usd: null, complete: false }),
    ]
    expect(texts).to.deep.equal(['$0.00', '$0.0042', '$1,234.50', 'at least $1.20', 'unknown'])
  })

  it('of a service that counts none are unknown', () => {
    expect(costText(undefined)).to.equal('unknown')
  })

  it('name each limit of a budget with what is spent of it', () => {
    const none = { usd: null, tokens: null, ms: null, modelCalls: null, toolCalls: null }
    const limits = { ...none, usd: 1, tokens: 5_000 }
    const budget = { limits, spent: { ...none, usd: 0.02, tokens: 6_200 }, reserved: none }
    expect(budgetText(budget)).to.equal('$0.02 of $1.00, 6,200 of 5,000 tokens')
    expect(budgetParts(budget)[1]).to.deep.equal({ limit: 5_000, spent: 6_200, text: '6,200 of 5,000 tokens' })
  })
})
